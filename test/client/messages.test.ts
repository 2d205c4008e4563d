import { describe, expect, test } from "vitest";
import { failure } from "./fixtures/outcome-of.ts";
import { refused, reply } from "./fixtures/replies.ts";
import { type Step, setup, TOKEN, URL_OF_PLANTS } from "./fixtures/setup.ts";

async function messageOf(step: Step): Promise<string> {
  return (await failure(setup([step], { maxRetries: 0 }))).message;
}

const says = (message: string) => reply(500, { error: 1, message });
const problem = (body: unknown, type = "application/problem+json") => reply(403, body, { "content-type": type });

test("an Error body shows the service's text and whether the plant may exist", async () => {
  expect(await messageOf(says("boom"))).toBe(`POST ${URL_OF_PLANTS} returned 500: boom; the plant may exist`);
});

describe("Retry-After is in the message", () => {
  test("of a 429 that was not waited for", async () => {
    expect(await messageOf(refused(429, { "retry-after": "120" }))).toBe(
      `POST ${URL_OF_PLANTS} returned 429: no (Retry-After: 120 s); the service refused it`,
    );
  });
  test("of a gateway's 503", async () => {
    const page = reply(503, "<h1>Busy</h1>", { "content-type": "text/html", "retry-after": "5" });
    expect(await messageOf(page)).toBe(
      `POST ${URL_OF_PLANTS} returned 503 with an unexpected body (text/html) (Retry-After: 5 s); the plant may exist`,
    );
  });
  test("only if the service sent it", async () => {
    expect(await messageOf(refused(429))).toBe(`POST ${URL_OF_PLANTS} returned 429: no; the service refused it`);
  });
});

describe("problem details (RFC 9457)", () => {
  test.each(["application/problem+json", "Application/Problem+JSON; charset=utf-8"])(
    "%s shows its title",
    async (type) => {
      expect(await messageOf(problem({ title: "Out of credit", detail: "Top up." }, type))).toBe(
        `POST ${URL_OF_PLANTS} returned 403: Out of credit; the service refused it`,
      );
    },
  );
  test.each([
    ["without a title", {}],
    ["with an empty title", { title: "" }],
    ["whose title is not a text", { title: 7 }],
    ["that are an array", [{ title: "Out of credit" }]],
  ])("%s are an unexpected body", async (_, body) => {
    expect(await messageOf(problem(body))).toBe(
      `POST ${URL_OF_PLANTS} returned 403 with an unexpected body (application/problem+json); the service refused it`,
    );
  });
  test("of another media type are an unexpected body", async () => {
    expect(await messageOf(problem({ title: "Out of credit" }, "application/json"))).toContain(
      "returned 403 with an unexpected body (application/json); ",
    );
  });
  test("as a parameter of another media type are an unexpected body", async () => {
    const type = "multipart/related; type=application/problem+json";
    expect(await messageOf(problem({ title: "Out of credit" }, type))).toContain(
      `returned 403 with an unexpected body (${type}); `,
    );
  });
});

test("a 404 without an Error body points to baseUrl", async () => {
  expect(await messageOf(reply(404, "<h1>Not found</h1>", { "content-type": "text/html" }))).toBe(
    `POST ${URL_OF_PLANTS} returned 404 with an unexpected body (text/html): check baseUrl; the service refused it`,
  );
});

test("an unexpected body without a media type says so", async () => {
  expect(await messageOf(reply(403, new TextEncoder().encode("denied")))).toBe(
    `POST ${URL_OF_PLANTS} returned 403 with an unexpected body (no media type); the service refused it`,
  );
});

describe("the service's text is one bounded line without control characters", () => {
  const texts: [name: string, text: string, shown: string][] = [
    ["a line break", "two\r\nlines", "two lines"],
    ["an escape sequence", "\u001b[31mred", "\\u001b[31mred"],
    ["a C1 control", "\u009b31mred", "\\u009b31mred"],
    ["a right-to-left override", "\u202egpj.exe", "\\u202egpj.exe"],
    ["half a surrogate pair", "\ud83c!", "\\ud83c!"],
    ["other scripts and emoji", "植物 🌱", "植物 🌱"],
    ["a line of a thousand characters in all", "x".repeat(986), "x".repeat(986)],
    ["a line of one more", "x".repeat(987), `${"x".repeat(986)}…`],
  ];
  test.each(texts)("%s", async (_, text, shown) => {
    expect(await messageOf(says(text))).toBe(`POST ${URL_OF_PLANTS} returned 500: ${shown}; the plant may exist`);
  });
  test("in the title of problem details and in an address, too", async () => {
    expect(await messageOf(problem({ title: "a\u0000b" }))).toContain("returned 403: a\\u0000b; ");
    const moved = reply(307, null, { location: `https://elsewhere.test/${"x".repeat(2000)}` });
    expect((await messageOf(moved)).length).toBeLessThan(1100);
  });
  test("a token that the end of the line would cut is redacted first", async () => {
    const message = await messageOf(says(`${"x".repeat(980)}${TOKEN}`));
    expect(message).not.toContain(TOKEN.slice(0, 4));
  });
});
