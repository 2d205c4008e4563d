import { createMockPlantStore, faults } from "plant-store-client/mock";
import { expect, it } from "vitest";
import { serviceOf } from "../../mock/service/adapter.ts";
import type { LoggedRequest } from "../../mock/service/mock-plant-store.ts";

const BODY = '{"id":1,"name":"Fern"}';

function request(token: string, body: string | Uint8Array = BODY) {
  const headers = new Map([
    ["authorization", `Bearer ${token}`],
    ["content-type", "application/json"],
  ]);
  return { method: "POST", path: "/plants", headers, body };
}

it("returns plain data at once if nothing makes it wait", () => {
  const mock = createMockPlantStore();
  const service = serviceOf(mock);
  const turn = service.begin("Bearer t");
  expect(service.receive(request("t"), turn)).toMatchObject({
    how: "reply",
    status: 200,
    headers: ["Content-Type", "application/json"],
    body: '{"name":"Fern"}',
  });
  expect(service.receive(request("t", new TextEncoder().encode(BODY)), turn)).toMatchObject({ status: 200 });
  expect(mock.requests.last?.headers).toEqual({ authorization: "Bearer token#1", "content-type": "application/json" });
  mock.inject(faults.lostResponse());
  expect(service.receive(request("t"), turn)).toEqual({ how: "lostResponse" });
});

it("ends a request if its session is reset while its body is read", () => {
  const mock = createMockPlantStore();
  const service = serviceOf(mock);
  const session = mock.session();
  const turn = service.begin(`Bearer ${session.token}`);
  expect(turn.isOver).toBe(false);
  session[Symbol.dispose]();
  expect(turn.isOver).toBe(true);
  expect(service.receive(request(session.token), turn)).toEqual({ how: "networkError" });
  expect([mock.requests.count, mock.plants.size]).toEqual([0, 0]);
});

it("shows an observer each request of every session once", async () => {
  const mock = createMockPlantStore();
  const service = serviceOf(mock);
  const seen: LoggedRequest[] = [];
  const stop = service.observe((recorded) => seen.push(recorded));
  const session = mock.session();
  service.receive(request("t"), service.begin("Bearer t"));
  service.receive(request(session.token), service.begin(`Bearer ${session.token}`));
  session.inject(faults.hang());
  const hanging = service.receive(request(session.token), service.begin(`Bearer ${session.token}`));
  session.reset();
  expect(await hanging).toEqual({ how: "networkError" });
  stop();
  service.receive(request("t"), service.begin("Bearer t"));
  expect(seen.map(({ token, status }) => [token, status])).toEqual([
    ["token#1", 200],
    ["token#2", 200],
  ]);
});

it("rejects a fault only while an adapter that cannot reproduce it is in use", () => {
  const mock = createMockPlantStore();
  const service = serviceOf(mock);
  const [detach, detachOther] = [service.attach("http"), service.attach("http")];
  detach();
  detach();
  expect(() => mock.inject(faults.connectionRefused())).toThrow("the HTTP mock is in use and cannot reproduce it");
  detachOther();
  mock.inject(faults.connectionRefused());
});

it.each([
  ["http://plant-store.test/v1", "/v1"],
  ["http://plant-store.test/v1/plants?a=b#c", "/v1/plants?a=b"],
  ["http://plant-store.test/v1?a", "/v1?a"],
  ["http://plant-store.test/v10", undefined],
  ["http://plant-store.test/", undefined],
  ["https://plant-store.test/v1/plants", undefined],
])("knows the path of %s under the base URL", (url, path) => {
  expect(serviceOf(createMockPlantStore({ baseUrl: "http://plant-store.test/v1" })).pathOf(url)).toBe(path);
});

it("ends every session on close", () => {
  const mock = createMockPlantStore();
  const session = mock.session({ tokens: ["a", "b"] });
  mock.plants.add({ id: 1, name: "Fern" });
  serviceOf(mock).close();
  expect(mock.plants.size).toBe(0);
  expect(() => session.hold()).toThrow("the session was disposed");
  mock.hold().release();
  expect(mock.session({ tokens: ["a", "b"] }).token).toBe("a");
});
