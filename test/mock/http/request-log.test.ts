import { faults } from "plant-store-client/mock";
import { describe, expect, it } from "vitest";
import { createRequestLog, type LoggedRequest } from "../../../mock/cli/request-log.ts";
import { definitionOf, shortenFault } from "../../../mock/service/faults/fault.ts";

describe("the log", () => {
  const request = {
    at: 0,
    method: "POST",
    path: "/\u001b[31m",
    delivers: "nothing",
    fault: { type: "hang" },
  } as const;

  it.each(["json", "pretty"] as const)("drops %s lines that nobody reads, and says how many", (style) => {
    const output = { text: "", writableLength: 2 ** 21, write: (text: string) => (output.text += text) };
    const log = createRequestLog(style, output, false);
    log(request);
    log(request);
    expect(output.text).toBe("");
    output.writableLength = 0;
    log(request);
    expect(output.text.split("\n")).toEqual(
      style === "json"
        ? [
            '{"droppedLines":2}',
            '{"at":"1970-01-01T00:00:00.000Z","method":"POST","path":"/?…","fault":"hang","durationMs":0}',
            "",
          ]
        : [
            "(2 lines dropped)",
            "00:00:00.000   -   POST  /?…                  0.0 ms                  fault hang, no response was sent",
            "",
          ],
    );
  });

  it.each([
    ["json", '"durationMs":1.235}\n'],
    ["pretty", "   1.2 ms                  fault hang, no response was sent\n"],
  ] as const)("rounds a duration in %s", (style, end) => {
    expect(logged(style, { ...request, durationMs: 1.23456 })).toContain(end);
  });

  const { fault, ...plain } = request;
  const plant = { id: 7, name: "a" };
  const base: LoggedRequest = { ...plain, path: "/plants", delivers: "response" };

  it.each<[string, LoggedRequest, string]>([
    ["a plant that was created", { ...base, status: 200, plant }, "200  POST  /plants  id 7"],
    ["a refusal", { ...base, status: 400, reason: "body: must be JSON" }, "400  POST  /plants  body: must be JSON"],
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
      "429  POST  /plants  fault rateLimited (retryAfterSeconds: 1)",
    ],
    [
      "a response that a test wrote",
      {
        ...base,
        status: 503,
        fault: faults.reply({ status: 503, headers: { "Retry-After": "2" }, body: "busy\u001b[31m" }),
      },
      '503  POST  /plants  fault reply (status: 503, headers: {"Retry-After":"2"}, body: busy?[31m)',
    ],
    [
      "a fault with a long text, shortened",
      { ...base, status: 400, fault: faults.apiError(17, "full ".repeat(1000)) },
      `400  POST  /plants  fault apiError (code: 17, message: ${"full ".repeat(1000).slice(0, 165)}…`,
    ],
    [
      "a response that was lost",
      { ...base, status: 200, plant, fault: faults.lostResponse() },
      "-  POST  /plants  fault lostResponse, no response was sent, id 7",
    ],
    [
      "a response that was cut",
      { ...base, status: 200, plant, fault: faults.truncatedBody() },
      "200  POST  /plants  fault truncatedBody, half of the response was sent, id 7",
    ],
    ["a client that left", base, "-  POST  /plants  the client disconnected; no response was sent"],
  ])("shows %s in one line", (_what, line, expected) => {
    const text = logged("pretty", { ...line, durationMs: 0 })
      .replace("0.0 ms", "")
      .slice(12)
      .trim();
    expect(text.replace(/ {2,}/g, "  ")).toBe(expected);
  });

  it.each<[string, Partial<LoggedRequest>, string]>([
    ["200", { status: 200 }, "\u001b[32m200\u001b[0m"],
    ["300", { status: 300 }, "\u001b[33m300\u001b[0m"],
    ["404", { status: 404 }, "\u001b[33m404\u001b[0m"],
    ["500", { status: 500 }, "\u001b[31m500\u001b[0m"],
    ["of a request without a response", {}, "\u001b[31m - \u001b[0m"],
    ["of a lost response", { status: 200, fault: faults.lostResponse() }, "\u001b[31m - \u001b[0m"],
  ])("colors the status %s on a terminal, and nowhere else", (_what, outcome, text) => {
    const line = { ...base, ...outcome };
    expect(logged("pretty", line, true)).toContain(`\u001b[2m00:00:00.000\u001b[0m  ${text}`);
    expect(logged("pretty", line)).not.toContain("\u001b");
    expect(logged("pretty", line)).not.toMatch(/ \n$/);
  });

  it("shows the first 200 characters of a path", () => {
    const path = `/${"a".repeat(199)}`;
    expect(logged("pretty", { ...request, path })).toContain(`  ${path}  `);
    expect(logged("pretty", { ...request, path: `${path}b` })).toContain(`  ${path}…  `);
  });
});

/** The line of a request, in which the service has noted what a fault delivers, and its beginning. */
function logged(style: "json" | "pretty", given: LoggedRequest, isTTY = false): string {
  const { fault } = given;
  const noted = fault && { fault: shortenFault(fault), delivers: definitionOf(fault).delivers };
  const request: LoggedRequest = { ...given, ...noted };
  const output = { isTTY, text: "", writableLength: 0, write: (text: string) => (output.text += text) };
  createRequestLog(style, output, true)(request);
  return output.text;
}
