import type { RecordedRequest } from "plant-store-client/mock";
import { describe, expect, it } from "vitest";
import { createRequestLog } from "../../../mock/cli/request-log.ts";

describe("the log", () => {
  const request = {
    at: 0,
    method: "POST",
    path: "/\u001b[31m",
    headers: {},
    bodyText: "",
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
            '{"at":"1970-01-01T00:00:00.000Z","method":"POST","path":"/?…","fault":"hang","durationMs":0}',
            "",
          ]
        : ["(2 lines dropped)", "00:00:00.000  no reply  POST  /?…  hang  0.0 ms", ""],
    );
  });

  it.each([
    ["json", '"durationMs":1.235}\n'],
    ["pretty", "  1.2 ms\n"],
  ] as const)("rounds a duration in %s", (style, end) => {
    expect(logged(style, { ...request, durationMs: 1.23456 }).endsWith(end)).toBe(true);
  });

  it("has a path of 200 characters whole, and of a longer one the first 200", () => {
    const path = `/${"a".repeat(199)}`;
    expect(logged("pretty", { ...request, path })).toContain(`  ${path}  `);
    expect(logged("pretty", { ...request, path: `${path}b` })).toContain(`  ${path}…  `);
  });
});

function logged(style: "json" | "pretty", request: RecordedRequest): string {
  const output = { text: "", writableLength: 0, write: (text: string) => (output.text += text) };
  createRequestLog(style, output)(request);
  return output.text;
}
