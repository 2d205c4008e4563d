import { expect, test } from "vitest";
import { everyAddress, fetchFailed, systemError } from "./fixtures/network-errors.ts";
import { failure } from "./fixtures/outcome-of.ts";
import { refused, reply } from "./fixtures/replies.ts";
import { type Step, setup, TOKEN, URL_OF_PLANTS } from "./fixtures/setup.ts";

async function messageOf(step: Step): Promise<string> {
  return (await failure(setup([step], { maxRetries: 0 }))).message;
}

const says = (message: string) => reply(500, { error: 1, message });
const problem = (body: unknown, type = "application/problem+json") => reply(403, body, { "content-type": type });
const page = (status: number, more: object = {}) =>
  reply(status, "<h1>No</h1>", { "content-type": "text/html", ...more });
const TYPE = "Application/Problem+JSON; charset=utf-8";
const CREDIT = { title: "Out of credit", detail: "Top up." };

test.each<[what: string, step: Step, event: string, meaning?: string]>([
  ["an Error body", says("boom"), "returned 500: boom", "the plant may exist"],
  [
    "a Retry-After that was not waited for",
    refused(429, { "retry-after": "120" }),
    "returned 429: no (Retry-After: 120 s)",
  ],
  [
    "a gateway's 503",
    page(503, { "retry-after": "5" }),
    "returned 503 with an unexpected body (text/html) (Retry-After: 5 s)",
    "the plant may exist",
  ],
  ["problem details (RFC 9457)", problem(CREDIT), "returned 403: Out of credit: Top up"],
  ["problem details in another spelling", problem(CREDIT, TYPE), "returned 403: Out of credit: Top up"],
  ...[{}, { title: "" }, { title: 7 }, [{ title: "Out of credit" }], "<p>no JSON", "null"].map(
    (body): [string, Step, string] => [
      ...([
        "problem details without words",
        problem(body),
        "returned 403 with an unexpected body (application/problem+json)",
      ] as const),
    ],
  ),
  ["another service's detail", problem({ detail: "Top up." }, "application/json"), "returned 403: Top up"],
  ["another service's message", problem({ message: "No credit", x: 1 }, "application/json"), "returned 403: No credit"],
  ["a 404 without an Error body", page(404), "returned 404 with an unexpected body (text/html): check baseUrl"],
  [
    "the innermost reason of a failure, and the address",
    fetchFailed(systemError("ECONNRESET", "read", "read ECONNRESET")),
    "failed: read ECONNRESET",
    "the plant may exist",
  ],
  [
    "the reason of the first of several addresses",
    everyAddress(
      systemError("ECONNREFUSED", "connect", "connect ECONNREFUSED ::1:4010"),
      systemError("ECONNREFUSED", "connect", "connect ECONNREFUSED 127.0.0.1:4010"),
    ),
    "failed: connect ECONNREFUSED ::1:4010",
    "the request was not sent",
  ],
  ["no media type", reply(403, new TextEncoder().encode("no")), "returned 403 with an unexpected body (no media type)"],
])("a message names the request, the response and the outcome: %s", async (_, step, event, meaning) => {
  expect(await messageOf(step)).toBe(`POST ${URL_OF_PLANTS} ${event}; ${meaning ?? "the service refused it"}`);
});

test.each<[name: string, text: string, shown: string]>([
  ["a line break", "two\r\nlines", "two lines"],
  ["an escape sequence", "\u001b[31mred", "\\u001b[31mred"],
  ["a right-to-left override", "\u202egpj.exe", "\\u202egpj.exe"],
  ["half a surrogate pair", "\ud83c!", "\\ud83c!"],
  ["other scripts and emoji", "植物 🌱", "植物 🌱"],
  ["a last period, because the sentence goes on", "The bed is full.", "The bed is full"],
  ["nothing", "", "(no message)"],
  ["a line of a thousand characters in all", "x".repeat(986), "x".repeat(986)],
  ["a line of one more", "x".repeat(987), `${"x".repeat(986)}…`],
])("the service's text is one bounded line without control characters: %s", async (_, text, shown) => {
  expect(await messageOf(says(text))).toBe(`POST ${URL_OF_PLANTS} returned 500: ${shown}; the plant may exist`);
});

test("so are a title of problem details and an address; a token that the end of the line would cut is redacted first", async () => {
  expect(await messageOf(problem({ title: "a\u0000b" }))).toContain("returned 403: a\\u0000b; ");
  const moved = reply(307, null, { location: `https://elsewhere.test/${"x".repeat(2000)}` });
  expect((await messageOf(moved)).length).toBeLessThan(1100);
  expect(await messageOf(says(`${"x".repeat(980)}${TOKEN}`))).not.toContain(TOKEN.slice(0, 4));
});
