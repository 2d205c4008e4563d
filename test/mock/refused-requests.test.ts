import { createMockPlantStore } from "plant-store-client/mock";
import { type HttpMockPlantStore, startMockPlantStore } from "plant-store-client/mock/http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { rejection } from "./post.ts";

const PLANT = '{"id":1,"name":"Fern"}';

let server: HttpMockPlantStore;
beforeAll(async () => {
  server = await startMockPlantStore();
});
afterAll(() => server.close());
beforeEach(() => {
  server.reset();
  inMemory.reset();
});

const inMemory = createMockPlantStore();
const forms = () => [
  [fetch, server] as const, // Node's own, on a real socket.
  [inMemory.fetch, inMemory] as const,
];

function withHeaders(headers: Record<string, string>): RequestInit {
  return { headers: { Authorization: "Bearer t", "Content-Type": "application/json", ...headers } };
}

const stream = () => new Blob([PLANT]).stream();

describe("Node's fetch and that of the mock send the same requests", () => {
  const accepted: [string, RequestInit][] = [
    ["Connection: close", withHeaders({ Connection: "close" })],
    ["Connection: Keep-Alive", withHeaders({ Connection: "Keep-Alive" })],
    ["the right Content-Length", withHeaders({ "Content-Length": "22" })],
    ["that of bytes", { ...withHeaders({ "Content-Length": "22" }), body: new TextEncoder().encode(PLANT) }],
    ["that of a text beyond ASCII", { ...withHeaders({ "Content-Length": "23" }), body: PLANT.replace("e", "é") }],
    ["a Content-Length of a request without a body", { ...withHeaders({ "Content-Length": "5" }), body: null }],
    ["Host and TE", withHeaders({ Host: "plants.example", TE: "trailers" })],
    ["no signal", { ...withHeaders({}), signal: null }],
    ["a mode, a cache and a referrer", { ...withHeaders({}), mode: "cors", cache: "no-store", referrer: "" }],
  ];
  it.each(accepted)("%s", async (_, init) => {
    const replies = forms().map(([send, { baseUrl }]) =>
      send(`${baseUrl}/plants`, { method: "POST", body: PLANT, ...init }),
    );
    const [real, mocked] = await Promise.all(replies);
    expect(mocked?.status).toBe(real?.status);
  });
});

describe("Node's fetch and that of the mock refuse the same requests", () => {
  const refused: [string, RequestInit][] = [
    ...["Expect", "Keep-Alive", "Transfer-Encoding", "Upgrade"].flatMap((name): [string, RequestInit][] => [
      [name, withHeaders({ [name]: "100-continue" })],
      [`${name} without a value`, withHeaders({ [name]: "" })],
    ]),
    ["Connection without a value", withHeaders({ Connection: "" })],
    ["a Content-Length above that of the body", withHeaders({ "Content-Length": "23" })],
    ["a Content-Length without a value", withHeaders({ "Content-Length": "" })],
    ["a Content-Length that is no number", withHeaders({ "Content-Length": "abc" })],
    ["a header with a line break", withHeaders({ "X-A": "a\nb" })],
    ["a header beyond Latin-1", withHeaders({ "X-A": "🌱" })],
    ["a header name with a space", withHeaders({ "X A": "a" })],
    ["headers that are no pairs", { headers: [["a", "b", "c"]] as never }],
    ["the signal {}", { signal: {} as never }],
    ["a text as the signal", { signal: "abc" as never }],
    ["the redirect never", { redirect: "never" as never }],
    ["the redirect null", { redirect: null as never }],
    ["the method CONNECT", { method: "CONNECT", body: null }],
    ["the method trace", { method: "trace", body: null }],
    ["the method of several words", { method: "GET PLANTS" }],
    ["a symbol as the method", { method: Symbol("POST") as never }],
    ["GET with a body", { method: "GET" }],
    ["a symbol as the body", { body: Symbol("body") as never }],
    ["a stream without duplex", { body: stream() }],
    ["the mode navigate", { mode: "navigate" }],
    ["the cache only-if-cached", { cache: "only-if-cached" }],
    ["unknown credentials", { credentials: "all" as never }],
    ["a window", { window: {} } as never],
    ["an invalid referrer", { referrer: "http://[" }],
  ];
  it.each(refused)("%s", async (_, init) => {
    const errors = forms().map(([send, { baseUrl }]) =>
      rejection((async () => send(`${baseUrl}/plants`, { method: "POST", body: PLANT, ...init }))()),
    );
    const [real, mocked] = await Promise.all(errors);
    expect(mocked).toBeInstanceOf(TypeError);
    expect(real).toBeInstanceOf(TypeError);
    const { name, code, message } = Object(real?.cause);
    expect(Object(mocked?.cause)).toMatchObject({ ...(name && { name, code, message }) });
    expect([server.requests.count, inMemory.requests.count]).toEqual([0, 0]);
  });

  // Node's own never resolves if it declares fewer bytes than it has, or sends them, depending on its version.
  it("and the mock alone a Content-Length below that of the body, and Connection: upgrade", async () => {
    for (const headers of [{ "Content-Length": "5" }, { Connection: "upgrade" }] as Record<string, string>[]) {
      const init = { method: "POST", body: PLANT, ...withHeaders(headers) };
      expect(await rejection(inMemory.fetch(`${inMemory.baseUrl}/plants`, init))).toMatchObject({ name: "TypeError" });
    }
  });
});

it("a response has the URL, the status text and the headers of a real one, as has its clone", async () => {
  const init = { method: "POST", body: PLANT, ...withHeaders({}) };
  const shapes = forms().map(async ([send, { baseUrl }]) => {
    const response = await send(`${baseUrl}/x/../plants#top`, init);
    return [response, response.clone()].map(({ url, statusText, headers }) => {
      const changes = [() => headers.set("a", "b"), () => headers.append("a", "b"), () => headers.delete("a")];
      for (const change of changes) expect(change).toThrow(TypeError);
      return { path: url.replace(baseUrl, ""), statusText };
    });
  });
  const [real, mocked] = await Promise.all(shapes);
  expect(mocked).toEqual(real);
  expect(mocked).toEqual([{ path: "/plants", statusText: "OK" }, expect.anything()]);
  expect((await inMemory.fetch(`${inMemory.baseUrl}/plants`, { ...init, method: "PUT" })).statusText).toBe(
    "Method Not Allowed",
  );
});
