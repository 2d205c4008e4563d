import { once } from "node:events";
import { connect } from "node:net";
import fc from "fast-check";
import { createMockPlantStore } from "plant-store-client/mock";
import type { HttpMockPlantStore } from "plant-store-client/mock/http";
import { expect, test } from "vitest";
import { operationOf } from "../declared-operations.ts";
import { judgeReply } from "../judges/contract.ts";
import { sharedMock } from "../mock/http/shared-mock.ts";
import { assertProperty, timeoutMs } from "./assert-property.ts";

const bytes = fc.uint8Array({ maxLength: 200 });
const almostJson = fc.oneof(
  fc.json().map((text) => new TextEncoder().encode(text)),
  fc
    .tuple(fc.nat({ max: 3_000 }), fc.constantFrom("[", '{"a":', '{"id":'))
    .map(([depth, open]) => new TextEncoder().encode(open.repeat(depth))),
  fc
    .record({ id: fc.oneof(fc.bigInt().map(String), fc.double().map(String)), name: fc.json() })
    .map(({ id, name }) => new TextEncoder().encode(`{"id":${id},"name":${name}}`)),
);
const bodies = fc.oneof(bytes, almostJson);
const headerValues = fc.stringMatching(/^[\t\x20-\x7e]{0,30}$/);
/** Headers that `fetch` refuses. */
const REFUSED = /^(connection|expect|upgrade|keep-alive)$/i;
const headerSets = fc.array(
  fc.tuple(
    fc.oneof(
      fc.constantFrom("Authorization", "authorization", "Content-Type", "Content-Encoding", "Accept", "Cookie"),
      fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,15}$/).filter((name) => !REFUSED.test(name)),
    ),
    fc.oneof(
      headerValues,
      fc.constantFrom("Bearer abc", "bearer abc", "Bearer ", "Basic YTpi", "application/json", "a, b"),
    ),
  ),
  { maxLength: 6 },
);
const methods = fc.oneof(
  fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"),
  fc.stringMatching(/^[A-Z]{1,10}$/),
);
const paths = fc.oneof(
  fc.constantFrom("/plants", "/plants/", "/plants?x", "/", "//", "/PLANTS", "/_mock"),
  fc.webPath(),
);

/** The statuses that the mock may return; never a 5xx. */
const STATUSES = [200, 400, 401, 404, 405, 413];

async function expectReply(response: Response, method: string, url: string): Promise<void> {
  expect(STATUSES).toContain(response.status);
  const contentType = response.headers.get("content-type");
  expect(contentType).toBe("application/json");
  const text = await response.text();
  if (method === "HEAD") return;
  if (response.status === 200) {
    expect(judgeReply(`${operationOf(method, url)}`, 200, contentType, text)).toEqual([]);
  } else {
    // Every rejection has the body that the contract declares for this one.
    expect(judgeReply("POST /plants", 400, contentType, text)).toEqual([]);
  }
}

test("in memory, the mock responds to any request, and keeps working", { timeout: timeoutMs }, async () => {
  const mock = createMockPlantStore();
  const property = fc.asyncProperty(methods, paths, headerSets, bodies, async (method, path, headers, body) => {
    const isForbidden = /^(connect|trace|track)$/i.test(method);
    fc.pre(!isForbidden);
    const url = `${mock.baseUrl}${path.startsWith("/") ? "" : "/"}${path}`;
    fc.pre(URL.canParse(url) && new URL(url).href.startsWith(mock.baseUrl));
    const hasBody = method !== "GET" && method !== "HEAD";
    await expectReply(await mock.fetch(url, { method, headers, ...(hasBody && { body: body.slice() }) }), method, url);
    await expectStillServing(mock);
  });
  await assertProperty(property, 1_500);
});

async function expectStillServing({ fetch, baseUrl, token }: Pick<HttpMockPlantStore, "fetch" | "baseUrl" | "token">) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const response = await fetch(`${baseUrl}/plants`, { method: "POST", headers, body: '{"id":1,"name":"x"}' });
  expect(await response.text()).toBe('{"name":"x"}');
}

const server = await sharedMock();

test("over HTTP, the mock survives any bytes on a socket, and keeps working", { timeout: timeoutMs }, async () => {
  const { port } = new URL(server.url);
  const heads = fc.tuple(methods, paths, headerSets).map(([method, path, headers]) => {
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
    return `${method} ${encodeURI(path)} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join("")}`;
  });
  const messages = fc.oneof(
    bytes,
    fc
      .tuple(heads, bodies, fc.integer({ min: -3, max: 3 }))
      .map(([head, body, off]) =>
        Buffer.concat([Buffer.from(`${head}Content-Length: ${Math.max(0, body.length + off)}\r\n\r\n`), body]),
      ),
    fc
      .tuple(heads, bodies)
      .map(([head, body]) => Buffer.concat([Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\n`), body])),
  );
  const property = fc.asyncProperty(messages, fc.nat({ max: 400 }), async (message, cut) => {
    const socket = connect(Number(port), "127.0.0.1");
    const closed = once(socket, "close");
    let answer = "";
    socket.on("data", (data) => (answer += data.toString("latin1")));
    socket.on("error", () => {});
    // The test ends the connection, halfway or at the end, even if the server waits for more.
    socket.end(message.subarray(0, message.length - (cut % (message.length + 1))));
    await closed;
    if (answer !== "") expect(answer).toMatch(/^HTTP\/1\.1 (?!5)\d{3} /);
    await expectStillServing({ fetch, baseUrl: server.baseUrl, token: server.token });
  });
  await assertProperty(property, 300);
});
