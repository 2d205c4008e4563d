import { getEventListeners } from "node:events";
import * as zlib from "node:zlib";
import { PlantStoreClient } from "plant-store-client";
import { createUndiciFetch } from "plant-store-client/undici";
import { Agent, type Dispatcher } from "undici";
import { describe, expect, test } from "vitest";
import { type Behavior, PLANT, type Post, reply } from "./faults/server.ts";
import { flush } from "./fixtures/test-clock.ts";
import { answer, closeOf, FERN, inbox, useServices } from "./fixtures/undici.ts";

const { setUp, setUpReading, cleanups } = useServices();

type Handler = Dispatcher.DispatchHandler;
type ReplyHeaders = Parameters<NonNullable<Handler["onResponseStart"]>>[2];

/** An Agent that calls a handler which stands before the one it is given. */
function agentWith(before: (handler: Handler) => Handler): Dispatcher {
  const agent = new Agent().compose((dispatch) => (options, handler) => dispatch(options, before(handler)));
  cleanups.push(() => agent.close());
  return agent;
}

/** An Agent that changes the headers of replies with `change`. */
function withReplyHeaders(change: (headers: ReplyHeaders) => ReplyHeaders): Dispatcher {
  return agentWith((handler) => ({
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onResponseStart: (controller, status, headers) => handler.onResponseStart?.(controller, status, change(headers)),
    onResponseData: (controller, chunk) => handler.onResponseData?.(controller, chunk),
    onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
    onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
  }));
}

test("an interim response that arrives earlier is not taken for the response", async () => {
  const controller = {} as Parameters<NonNullable<Handler["onRequestStart"]>>[0];
  const answerTwice = async (handler: Handler) => {
    handler.onRequestStart?.(controller, {});
    handler.onResponseStart?.(controller, 103, { link: "</x>" });
    await flush();
    handler.onResponseStart?.(controller, 200, { "content-type": "application/json" });
    handler.onResponseData?.(controller, Buffer.from('{"name":"Fern"}'));
    handler.onResponseEnd?.(controller, {});
  };
  const dispatcher = { dispatch: (_: unknown, handler: Handler) => void answerTwice(handler) } as unknown as Dispatcher;
  const fetch = createUndiciFetch({ dispatcher });
  const client = new PlantStoreClient({ baseUrl: "https://plants.test", token: "secret", fetch });
  expect(await client.tryCreatePlant(FERN)).toMatchObject({ ok: true, status: 200, attempts: [{ status: 200 }] });
});

describe("a dispatcher of the application's own", () => {
  const setUpThrough = (behavior: Behavior) => setUp(behavior, { dispatcher: agentWith((handler) => handler) });

  test("gives the response after any interim ones, and its body as it arrives", async () => {
    const { client } = await setUpThrough({
      posted: async ({ socket }) => {
        const parts = [
          "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n",
          "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nX-A: 1\r\n\r\n",
          ...['4\r\n{"na\r\n', 'b\r\nme":"Fern"}\r\n', "0\r\n\r\n"],
        ];
        for (const part of parts) {
          socket.write(part);
          await flush();
        }
      },
    });
    const result = await client.tryCreatePlant(FERN);
    expect(result).toMatchObject({ ok: true, status: 200, plant: { name: "Fern" } });
    expect(result.ok && Object.fromEntries(result.headers)).toEqual({
      ...{ "transfer-encoding": "chunked", "content-type": "application/json", "x-a": "1" },
    });
  });
});

test("a request without a body may be sent through a dispatcher of the application's own", async () => {
  const { fetch, baseUrl } = await setUp({}, { dispatcher: agentWith((handler) => handler) });
  expect((await fetch(`${baseUrl}/plants`, { method: "GET" })).status).toBe(200);
});

test("a body of more than 16 MiB is complete if it is read as it arrives", async () => {
  const size = 20 * 2 ** 20;
  const { fetch, baseUrl } = await setUp({
    posted: ({ socket }) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`);
      socket.end(Buffer.alloc(size));
    },
  });
  const { body } = await fetch(`${baseUrl}/plants`, { method: "POST", body: "{}" });
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  let read = 0;
  for (let { value } = await reader.read(); value; { value } = await reader.read()) read += value.byteLength;
  expect(read).toBe(size);
});

test("a body in chunks of one byte that nobody reads is aborted before it fills the memory", async () => {
  const reasons: unknown[] = [];
  const controller = { abort: (reason: unknown) => reasons.push(reason) } as never;
  const dispatch = (_: unknown, handler: Handler) => {
    handler.onRequestStart?.(controller, {});
    handler.onResponseStart?.(controller, 200, { "content-type": "application/json" });
    for (let chunks = 0; chunks < 40_000; chunks++) handler.onResponseData?.(controller, Buffer.from(" "));
  };
  const fetch = createUndiciFetch({ dispatcher: { dispatch } as unknown as Dispatcher });
  const client = new PlantStoreClient({ baseUrl: "https://plants.test", token: "secret", fetch });
  expect(await client.tryCreatePlant(FERN)).toMatchObject({ error: { kind: "connection", outcome: "unknown" } });
  expect(`${reasons[0]}`).toContain("more than 16 MiB of the response");
});

test("a body that was read leaves no listener on the signal behind", async () => {
  const { fetch, baseUrl } = await setUp({ posted: answer });
  const { signal } = new AbortController();
  const { body } = await fetch(`${baseUrl}/plants`, { method: "POST", body: "{}", signal });
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  while (!(await reader.read()).done);
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});

describe("a body that the service compressed unasked", () => {
  const text = '{"name":"Fern 🌱"}';
  const { gzipSync, deflateSync, brotliCompressSync } = zlib;
  /** Node 20 has none. */
  const { zstdCompressSync } = zlib as { zstdCompressSync?: typeof gzipSync };
  const setUpWith = (encoding: string, body: Uint8Array, status = "200 OK") =>
    setUp({
      posted: ({ socket }) => {
        const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Encoding: ${encoding}`;
        socket.end(Buffer.concat([Buffer.from(`${head}\r\nContent-Length: ${body.length}\r\n\r\n`), body]));
      },
    });

  test.each<[encoding: string, body: Uint8Array]>([
    ["gzip", gzipSync(text)],
    ["X-GZIP", gzipSync(text)],
    ["deflate", deflateSync(text)],
    ["br", brotliCompressSync(text)],
    ["identity", Buffer.from(text)],
    ["deflate, gzip", gzipSync(deflateSync(text))],
    ...(zstdCompressSync ? [["zstd", zstdCompressSync(text)] as [string, Uint8Array]] : []),
  ])("by %s is a plant", async (encoding, body) => {
    const { client } = await setUpWith(encoding, body);
    expect(await client.tryCreatePlant(FERN)).toMatchObject({ ok: true, plant: { name: "Fern 🌱" } });
  });

  test("and that expands without end stops at maxResponseBytes", async () => {
    const { client } = await setUpWith("gzip", gzipSync(Buffer.alloc(100_000_000)));
    expect(await client.tryCreatePlant(FERN)).toMatchObject({ error: { kind: "response", reason: "too-large" } });
  });

  test("and that decodes to nothing without end is aborted at 16 MiB that wait to be decoded", async () => {
    const chunk = Buffer.concat(Array<Buffer>(2000).fill(gzipSync("")));
    let closed: Promise<unknown> | undefined;
    const { client } = await setUp({
      posted: ({ socket }) => {
        closed = closeOf(socket);
        socket.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n\r\n");
        const write = () => {
          while (socket.writable && socket.write(chunk));
        };
        socket.on("drain", write);
        write();
      },
    });
    const { error } = (await client.tryCreatePlant(FERN)) as { error: Error };
    expect(error).toMatchObject({ kind: "connection", outcome: "unknown" });
    expect(error.message).toContain("more than 16 MiB of the response");
    await closed;
  });

  const CUT = gzipSync(text).subarray(0, -8);
  const RAW = zlib.deflateRawSync(text);
  const PLAIN = Buffer.from(text);
  const EMPTY = Buffer.alloc(0);
  const AS_FETCH: [encoding: string, what: string, body: Uint8Array][] = [
    ...["UTF-8", "none", "aws-chunked", "gzip, none", "identity", "constructor", ""].map(
      (name): [string, string, Buffer] => [...([name, "plain text", PLAIN] as const)],
    ),
    ["none, gzip", "a list with a name that is no coding", gzipSync(text)],
    ["gzip", "without its checksum", CUT],
    ["GZip", "half of it", CUT.subarray(0, 20)],
    ["gzip", "plain text", PLAIN],
    ["gzip", "empty", EMPTY],
    ["Deflate", "without the header of zlib", RAW],
    ["deflate", "without its checksum", deflateSync(text).subarray(0, -4)],
    ["deflate, gzip", "a raw deflate within", gzipSync(RAW)],
    ["deflate", "empty", EMPTY],
    ["br", "cut", brotliCompressSync(text).subarray(0, -2)],
    ["gzip,gzip,gzip,gzip,gzip", "five codings", [1, 2, 3, 4, 5].reduce((body) => gzipSync(body), PLAIN)],
    ["gzip,gzip,gzip,gzip,gzip,gzip", "six codings", PLAIN],
    ["zstd", "plain text", PLAIN],
  ];
  test.each(AS_FETCH)("by %j (%s) is read as Node's own fetch does, with any status", async (encoding, _what, body) => {
    for (const status of ["200 OK", "404 Not Found"]) {
      const { client, baseUrl } = await setUpWith(encoding, body, status);
      const own = await new PlantStoreClient({ baseUrl, token: "secret" }).tryCreatePlant(FERN);
      const { ok, plant, outcome, error } = await client.tryCreatePlant(FERN);
      expect({ ok, plant, outcome }).toEqual({ ok: own.ok, plant: own.plant, outcome: own.outcome });
      expect([error?.kind, error?.status]).toEqual([own.error?.kind, own.error?.status]);
    }
  });
});

describe("headers through createUndiciFetch", () => {
  const place = Buffer.from("Beet 💚").toString("latin1");
  const answerWithHeaders = ({ socket }: Post) => {
    socket.setDefaultEncoding("latin1");
    reply(
      socket,
      "200 OK",
      PLANT,
      `X-Place: ${place}`,
      "X-Twice: 1",
      "Set-Cookie: a=1",
      "X-Twice: 2",
      "Set-Cookie: b=2",
    );
  };
  async function headersBy(client: PlantStoreClient): Promise<[string, string][]> {
    const result = await client.tryCreatePlant(FERN);
    if (!result.ok) throw result.error;
    return [...result.headers];
  }

  test("of a reply are those of the global fetch, repeated ones and bytes beyond ASCII included", async () => {
    const { client, baseUrl } = await setUp({ posted: answerWithHeaders });
    const headers = await headersBy(client);
    expect(headers).toEqual(
      expect.arrayContaining([
        ["x-place", place],
        ["x-twice", "1, 2"],
        ["set-cookie", "b=2"],
      ]),
    );
    expect(headers).toEqual(await headersBy(new PlantStoreClient({ baseUrl, token: "secret" })));
  });

  test("of a reply may be read as UTF-8 by the dispatcher, as early versions of undici 7 do, or taken away", async () => {
    const utf8 = (value: string) => Buffer.from(value, "latin1").toString("utf8");
    const dispatcher = withReplyHeaders((headers) => ({
      ...headers,
      "x-place": utf8(headers["x-place"] as string),
      "set-cookie": undefined,
    }));
    const { client } = await setUp({ posted: answerWithHeaders }, { dispatcher });
    const { "x-place": shown, "set-cookie": cookie } = Object.fromEntries(await headersBy(client));
    expect([shown, cookie]).toEqual([place, undefined]);
  });

  test.each([
    ["one", "a fixed text Bearer secret"],
    ["a repeated one", ["a", "Bearer secret"]],
  ])("of a reply lose the token, in %s", async (_which, echo) => {
    const dispatcher = withReplyHeaders((headers) => ({ ...headers, "x-echo": echo }));
    const { client } = await setUp({ posted: answer }, { dispatcher });
    const pairs = await headersBy(client);
    expect(pairs.map(([name]) => name)).toContain("x-echo");
    expect(`${pairs}`).toContain("Bearer [redacted]");
    expect(`${pairs}`).not.toContain("secret");
  });

  test("of a reply may have capitals, from the application's own dispatcher: the media type counts", async () => {
    const dispatcher = withReplyHeaders(() => ({ "Content-Type": "text/html" }));
    const { client } = await setUp({ posted: answer }, { dispatcher });
    await expect(client.createPlant(FERN)).rejects.toMatchObject({ kind: "response", reason: "media-type" });
  });

  test.each([
    ["a plain object", (headers: HeadersInit) => headers],
    ["a Headers", (headers: HeadersInit) => new Headers(headers)],
    ["pairs", (headers: HeadersInit) => [...new Headers(headers)] as [string, string][]],
  ])("of a request may be %s, where another fetch stands before it", async (_form, change) => {
    const { baseUrl, fetch, requests } = await setUpReading();
    const around = (url: string, init: RequestInit) => fetch(url, { ...init, headers: change(init.headers ?? {}) });
    const client = new PlantStoreClient({ baseUrl, token: "secret", fetch: around });
    await client.createPlant(FERN, { headers: { "Accept-Encoding": "gzip" } });
    const lines = requests.join("").split("\r\n");
    expect(lines).toEqual(expect.arrayContaining(["authorization: Bearer secret", "content-type: application/json"]));
    // It does not decompress.
    expect(lines.filter((line) => line.startsWith("accept-encoding"))).toEqual(["accept-encoding: identity"]);
  });
});

test("a request that waits for a connection when its call ends is never sent, even if nothing proves that", async () => {
  const { arrived, posts, posted } = inbox();
  const dispatcher = new Agent({ connections: 1 });
  cleanups.push(() => dispatcher.close());
  const { client } = await setUp({ posted }, { dispatcher });
  const stop = new AbortController();
  const first = client.tryCreatePlant(FERN, { signal: stop.signal });
  stop.abort();
  expect(await first).toMatchObject({ error: { kind: "aborted", outcome: "unknown" } });
  const second = client.createPlant(FERN);
  await arrived(1);
  answer(posts[0] as Post);
  expect(await second).toEqual(JSON.parse(PLANT));
  expect(posts).toHaveLength(1);
});
