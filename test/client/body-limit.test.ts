import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { collectGarbage } from "../collect-garbage.ts";
import { eventOf, failure } from "./fixtures/outcome-of.ts";
import { reply } from "./fixtures/replies.ts";
import { PLANT, setup } from "./fixtures/setup.ts";

const plantOf = (size: number) => `{"name":"${"x".repeat(size - 11)}"}`;

/** An endless body; tells how many bytes were pulled of it, and whether it was canceled. */
function endless(status: number, headers: Record<string, string>) {
  const seen = { bytes: 0, canceled: false };
  const chunk = new Uint8Array(1000).fill(0x20);
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      seen.bytes += chunk.byteLength;
      controller.enqueue(chunk);
    },
    cancel() {
      seen.canceled = true;
    },
  });
  return { response: new Response(body, { status, headers }), seen };
}

describe.each([
  ["without Content-Length", undefined],
  ["with Content-Length", (text: string) => ({ "content-length": `${text.length}` })],
  ["with a Content-Length that lies", () => ({ "content-length": "5" })],
] as [string, ((text: string) => Record<string, string>) | undefined][])("%s", (_, headersOf) => {
  const answer = (status: number, text: string) =>
    reply(status, text, { "content-type": "application/json", ...headersOf?.(text) });

  test("a body of exactly the limit is read", async () => {
    const { client } = setup([answer(200, plantOf(100))], { maxResponseBytes: 100 });
    expect((await client.createPlant(PLANT)).name).toHaveLength(89);
  });
  test("one byte more is too large, and the plant may exist", async () => {
    const limits = { maxResponseBytes: 100, retry: "idempotent" } as const;
    const error = await failure(setup([answer(200, plantOf(101))], limits));
    expect(error).toMatchObject({ reason: "too-large", status: 200, outcome: "unknown" });
    expect(error).toMatchObject({ bodyText: plantOf(101).slice(0, 100), attempts: { length: 1 } });
    expect(eventOf(error)).toBe("returned 200 with a body of more than maxResponseBytes");
  });
  test("a refusal whose body is too large has its status and the beginning of the body, even if that is an Error", async () => {
    const text = '{"error":1,"message":"no"}';
    const error = await failure(setup([answer(400, `${text} and more`)], { maxResponseBytes: text.length }));
    expect(error).toMatchObject({ kind: "response", reason: "status", status: 400, outcome: "rejected" });
    expect(error).toMatchObject({ bodyText: text });
  });
});

test.each([200, 302, 400, 500])("an endless body of %i is canceled at the limit", async (status) => {
  const { response, seen } = endless(status, {});
  const error = await failure(setup([response], { maxResponseBytes: 10_000, maxRetries: 0 }));
  expect(error).toMatchObject({ kind: "response", status });
  expect(seen.canceled).toBe(true);
  expect(seen.bytes).toBeLessThan(15_000);
});

describe("a Node stream, as node-fetch has,", () => {
  const text = `{"name":"${"🌱".repeat(22)}"}`;
  // One byte each, so that chunks end within a character.
  const streamed = (maxResponseBytes: number) => {
    const body = Readable.from(Array.from(Buffer.from(text), (byte) => Uint8Array.of(byte)));
    return { body, ...setup([() => ({ status: 200, headers: new Headers(), body }) as never], { maxResponseBytes }) };
  };

  test("is read", async () => {
    expect(await streamed(100).client.createPlant(PLANT)).toEqual(JSON.parse(text));
  });
  test("is destroyed at the limit", async () => {
    const mocked = streamed(50);
    expect(await failure(mocked)).toMatchObject({ reason: "too-large", outcome: "unknown" });
    expect([mocked.body.destroyed, mocked.body.readableEnded]).toEqual([true, false]);
  });
});

test("a body in a million chunks takes no more memory than in one", async () => {
  const size = 2 ** 20;
  const network = new Uint8Array(2 ** 16).fill(0x20);
  let left = size;
  let heldBytes = 0;
  const body = {
    getReader: () => ({
      async read() {
        if (--left > 0) return { value: network.subarray(left % 65_536, (left % 65_536) + 1) };
        collectGarbage();
        heldBytes = process.memoryUsage().heapUsed - before;
        return { done: true };
      },
      cancel() {},
    }),
  };
  const mocked = setup([() => ({ status: 200, headers: new Headers(), body }) as never]);
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  expect(await failure(mocked)).toMatchObject({ reason: "json" });
  expect(heldBytes).toBeLessThan(20 * size);
});

test("a first chunk of exactly the limit is not the whole of a longer body", async () => {
  const text = plantOf(100);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of [text, " "]) controller.enqueue(new TextEncoder().encode(part));
      controller.close();
    },
  });
  const error = await failure(setup([new Response(body)], { maxResponseBytes: 100 }));
  expect(error).toMatchObject({ reason: "too-large", bodyText: text });
});
