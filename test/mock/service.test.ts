import { faults } from "plant-store-client/mock";
import { expect, it } from "vitest";
import { createMock } from "../../mock/memory/create-mock.ts";
import { resolveOptions } from "../../mock/service/resolve-options.ts";
import { pathUnder } from "../../mock/service/router.ts";
import { RequestRecord } from "../../mock/service/sessions/request-record.ts";

const BODY = '{"id":1,"name":"Fern"}';

/** A mock, and a way to its service without an adapter. */
function open() {
  const { mock, service } = createMock(resolveOptions({}));
  const send = (token: string, body: string | Uint8Array = BODY, session = service.sessionOf(`Bearer ${token}`)) => {
    const headers = new Map([
      ["authorization", `Bearer ${token}`],
      ["content-type", "application/json"],
    ]);
    return service.receive({ method: "POST", path: "/plants", headers, body }, session, () => {});
  };
  return { mock, service, send };
}

it("returns plain data at once if nothing makes it wait", () => {
  const { mock, send } = open();
  expect(send("t")).toMatchObject({
    how: "reply",
    status: 200,
    headers: ["Content-Type", "application/json"],
    body: '{"name":"Fern"}',
  });
  expect(send("t", new TextEncoder().encode(BODY))).toMatchObject({ status: 200 });
  expect(mock.requests.last?.headers).toEqual({
    authorization: `Bearer ${mock.labelOf("t")}`,
    "content-type": "application/json",
  });
  mock.inject(faults.lostResponse());
  expect(send("t")).toEqual({ how: "lostResponse" });
});

it("shows an observer each request of every session once", async () => {
  const { mock, service, send } = open();
  const seen: unknown[] = [];
  service.observe(({ token, status }) => seen.push([token, status]));
  const session = mock.session();
  send("t");
  send(session.token);
  session.inject(faults.hang());
  const hanging = send(session.token);
  session.reset();
  expect(await hanging).toEqual({ how: "networkError" });
  expect(seen).toEqual([
    [mock.labelOf("t"), 200],
    [mock.labelOf(session.token), 200],
  ]);
});

it("records how long a request took in whole microseconds", () => {
  const request = { method: "POST", path: "/plants", headers: new Headers(), body: BODY };
  const record = new RequestRecord(request, 0, undefined, open().service.labels);
  record.finish(undefined, 1.23456);
  expect(record.durationMs).toBe(1.235);
});

it.each([
  ["http://plant-store.test/v1", "", "/v1"],
  ["http://plant-store.test/v1", "/plants?a=b#c", "/v1/plants?a=b"],
  ["http://plant-store.test/v1", "?a", "/v1?a"],
  ["http://plant-store.test/v1", "#a", "/v1"],
  ["http://plant-store.test/v1", "0", undefined],
  ["http://a", "/plants?x", "/plants?x"],
  ["https://plant-store.test", "/", "/"],
])("under %s, %j has the path %s", (baseUrl, rest, path) => {
  expect(pathUnder(baseUrl, baseUrl + rest)).toBe(path);
});

it.each(["http://plant-store.test/", "https://plant-store.test/v1/plants"])("%s is under no other base URL", (url) => {
  expect(pathUnder("http://plant-store.test/v1", url)).toBeUndefined();
});
