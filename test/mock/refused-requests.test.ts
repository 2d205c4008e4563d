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
    ["a header with a line break", withHeaders({ "X-A": "a\nb" })],
    ["a header beyond Latin-1", withHeaders({ "X-A": "🌱" })],
    ["a header name with a space", withHeaders({ "X A": "a" })],
    ["headers that are no pairs", { headers: [["a", "b", "c"]] as never }],
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
    expect([server.requests.count, inMemory.requests.count]).toEqual([0, 0]);
  });
});

it("a response has the URL of a real one", async () => {
  const init = { method: "POST", body: PLANT, ...withHeaders({}) };
  const paths = forms().map(async ([send, { baseUrl }]) => {
    const { url } = await send(`${baseUrl}/x/../plants#top`, init);
    return url.replace(baseUrl, "");
  });
  expect(await Promise.all(paths)).toEqual(["/plants", "/plants"]);
});
