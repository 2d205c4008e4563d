import { faults } from "plant-store-client/mock";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { createRequestLog } from "../../../mock/cli/request-log.ts";
import { rowOf, shortenFault } from "../../../mock/service/faults/check-fault.ts";
import type { ObservedRequest } from "../../../mock/service/service.ts";

/** Not by the variable TZ, which a worker thread cannot set. */
const standInZone = (minutes: number) => vi.spyOn(Date.prototype, "getTimezoneOffset").mockReturnValue(minutes);
const TOKYO = -9 * 60;
beforeEach(() => {
  standInZone(TOKYO);
});

describe("the log", () => {
  const request = {
    at: 0,
    method: "POST",
    path: "/\u001b[31mé\u202e\u0085🌱",
    fault: { type: "hang" },
  } as const;

  it.each(["json", "pretty"] as const)("drops %s lines that nobody reads, and says how many", (style) => {
    const output = { text: "", writableLength: 2 ** 21, write: (text: string) => (output.text += text) };
    const log = createRequestLog(style, output);
    log(request);
    log(request);
    expect(output.text).toBe("");
    output.writableLength = 0;
    log(request);
    expect(output.text.split("\n")).toEqual(
      style === "json"
        ? [
            '{"droppedLines":2}',
            '{"at":"1970-01-01T00:00:00.000Z","method":"POST","path":"/\\u001b[31mé\\u202e\\u0085🌱","fault":"hang","durationMs":0}',
            "",
          ]
        : [
            "(2 lines dropped)",
            "09:00:00.000+09:00   -   POST  /\\u001b[31mé\\u202e\\u0085🌱     0.0 ms               fault hang (no response)",
            "",
          ],
    );
  });

  it("rounds a duration for people", () => {
    const text = logged("pretty", { ...request, durationMs: 1.234 });
    expect(text).toContain("   1.2 ms               fault hang (no response)\n");
  });

  const { fault, ...plain } = request;
  const plant = { id: 7, name: "a" };
  const base: ObservedRequest = { ...plain, path: "/plants" };

  it.each<[string, ObservedRequest, string]>([
    ["a plant that was created", { ...base, status: 200, plant }, "200  POST  /plants  id 7"],
    [
      "a refusal that quotes the path, without its query",
      { ...base, path: "/x?token=secret", status: 404, reason: "POST /x?token=secret: must be POST /plants" },
      "404  POST  /x?…  POST /x?…: must be POST /plants",
    ],
    [
      "a refusal that quotes a path with the signs of a replacement",
      { ...base, path: "/$&?token=secret", status: 404, reason: "POST /$&?token=secret: must be POST /plants" },
      "404  POST  /$&?…  POST /$&?…: must be POST /plants",
    ],
    [
      "a fault",
      { ...base, status: 429, fault: faults.rateLimited(1) },
      "429  POST  /plants  fault rateLimited (too many requests)",
    ],
    [
      "a response that was lost",
      { ...base, status: 200, plant, fault: faults.lostResponse() },
      "-  POST  /plants  fault lostResponse (the response is lost), id 7",
    ],
    [
      "a response that was cut",
      { ...base, status: 200, plant, fault: faults.truncatedBody() },
      "200  POST  /plants  fault truncatedBody (the body is cut off), id 7",
    ],
    [
      "a connection that was refused before there was a request",
      { at: 0, status: 400, reason: "the client speaks https; use http://127.0.0.1:4010" },
      "400  -  -  the client speaks https; use http://127.0.0.1:4010",
    ],
    [
      "a connection that was refused without a response",
      { at: 0, reason: "all 1000 connections are in use" },
      "-  -  -  all 1000 connections are in use",
    ],
    ["a client that left", base, "-  POST  /plants  the client disconnected; no response was sent"],
  ])("shows %s in one line", (_what, line, expected) => {
    const text = logged("pretty", { ...line, durationMs: 0 })
      .replace("0.0 ms", "")
      .slice(18)
      .trim();
    expect(text.replace(/ {2,}/g, "  ")).toBe(expected);
  });

  it.each([
    ["Tokyo", TOKYO, "09:00:00.000+09:00"],
    ["St. John's", 3.5 * 60, "20:30:00.000-03:30"],
    ["UTC", 0, "00:00:00.000+00:00"],
  ])("shows the time of %s, and in JSON that of UTC", (_, minutes, time) => {
    standInZone(minutes);
    expect(logged("pretty", base)).toContain(`${time}  `);
    expect(logged("json", base)).toContain('"at":"1970-01-01T00:00:00.000Z"');
  });

  it("escapes in JSON only what controls the terminal, so that a parser gets the text as it was", () => {
    const reason = 'not "Größe🌱 植物\u202e\u009b\u001b\u2028\ud800"';
    const line = logged("json", { ...base, status: 400, reason });
    expect(line).toContain('not \\"Größe🌱 植物\\u202e\\u009b\\u001b\\u2028\\ud800\\"');
    expect(JSON.parse(line)).toMatchObject({ reason });
  });

  it("shows the first 200 characters of a path", () => {
    const path = `/${"a".repeat(199)}`;
    expect(logged("pretty", { ...request, path })).toContain(`  ${path}  `);
    expect(logged("pretty", { ...request, path: `${path}b` })).toContain(`  ${path}…  `);
  });
});

/** The line of a request, in which the service has noted what a fault loses, and its beginning. */
function logged(style: "json" | "pretty", given: ObservedRequest): string {
  const { fault } = given;
  const noted = fault && { fault: shortenFault(fault), loses: rowOf(fault).loses };
  const request: ObservedRequest = { ...given, ...noted };
  const output = { text: "", writableLength: 0, write: (text: string) => (output.text += text) };
  createRequestLog(style, output)(request);
  return output.text;
}
