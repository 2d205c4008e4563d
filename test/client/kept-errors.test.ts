import { PlantStoreClient, type PlantStoreError } from "plant-store-client";
import { expect, test } from "vitest";
import { collectGarbage } from "../collect-garbage.ts";
import { errorOf } from "./fixtures/outcome-of.ts";
import { reply } from "./fixtures/replies.ts";
import { BASE_URL, PLANT, TOKEN } from "./fixtures/setup.ts";

const MEBIBYTE = 2 ** 20;
const ERRORS = 20;

const failures: Record<string, (text: string) => Response> = {
  "an unexpected body": (text) => reply(502, text, { "content-type": "text/html" }),
  "a body above the limit": (text) => reply(502, `${text}${text}`, { "content-type": "text/html" }),
  "a long message": (text) => reply(500, { error: 1, message: text }),
  "a long field besides the message": (text) => reply(500, { error: 1, message: "no", detail: text }),
  "a long title": (text) => reply(500, { title: text }, { "content-type": "application/problem+json" }),
  "a 200 with an invalid body": (text) => reply(200, { title: text }),
  "a network failure with a long message": (text) => {
    throw new TypeError(text);
  },
};

function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

const cases = Object.entries(failures).flatMap(([name, fail]) => [
  [name, "is read", fail, true] as const,
  [name, "is not read", fail, false] as const,
]);

test.each(cases)("an error of %s whose stack %s does not keep the response in memory", async (_, __, fail, isRead) => {
  const fetch = async () => fail(`<p>${Math.random()}`.padEnd(MEBIBYTE - 1000, "x"));
  const client = new PlantStoreClient({ baseUrl: BASE_URL, token: TOKEN, fetch });
  const next = async () => {
    const error = await errorOf(client.createPlant(PLANT));
    // V8 keeps the functions of the stack, and what these refer to, until the stack is read.
    if (isRead) expect(error.stack).toContain("PlantStore");
    return error;
  };
  const kept: PlantStoreError[] = [await next()];
  const before = heapUsed();
  while (kept.length < ERRORS) kept.push(await next());
  await expect.poll(() => heapUsed() - before).toBeLessThan(4 * MEBIBYTE);
  expect(new Set(kept).size).toBe(ERRORS);
});
