import { expect, it } from "vitest";
import { DECLARED } from "../../mock/service/answer.ts";
import type { Operation } from "../../mock/service/operation.ts";
import { createPlant } from "../../mock/service/operations/create-plant.ts";
import { resolveOptions } from "../../mock/service/resolve-options.ts";
import { Service } from "../../mock/service/service.ts";
import { verify } from "../../mock/service/sessions/verify.ts";
import { JSON_HEADERS } from "../../mock/service/wire-reply.ts";

const getPlant: Operation = {
  method: "GET",
  path: "/plants/{plantId}",
  query: ["verbose"],
  answer: ({ record }) => ({
    how: "reply",
    status: 200,
    headers: JSON_HEADERS,
    body: JSON.stringify(record.params),
    source: DECLARED,
  }),
};

const deletePlant: Operation = { ...getPlant, method: "DELETE", query: ["force", "reason"] };

/** A service with two more operations. */
function open() {
  const service = new Service(resolveOptions({ baseUrl: "http://plants.test/v1" }), [
    createPlant,
    getPlant,
    deletePlant,
  ]);
  const headers = new Map([["authorization", "Bearer t"]]);
  const send = (method: string, path: string) => {
    return service.receive({ arrival: service.begin("Bearer t"), method, path, headers, body: "" }, () => {});
  };
  return { service, send, session: service.sessions.root.state };
}

it("an operation of the table is served under the base URL, and its parameters are recorded", () => {
  const { service, send, session } = open();
  expect(service.operations.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "POST /v1/plants",
    "GET /v1/plants/{plantId}",
    "DELETE /v1/plants/{plantId}",
  ]);
  expect(send("GET", "/v1/plants/7?verbose=1")).toMatchObject({ status: 200, body: '{"plantId":"7"}' });
  expect(session.requests.last?.view).toMatchObject({ path: "/v1/plants/7?verbose=1", params: { plantId: "7" } });
  // A path that no one has filled in: the braces are a value like any other.
  expect(send("GET", "/v1/plants/{plantId}")).toMatchObject({ status: 200, body: '{"plantId":"{plantId}"}' });
  for (const path of ["/v1/plants", "/v1/plants?"]) {
    expect(send("POST", path)).toMatchObject({ status: 400 });
    expect(session.requests.last?.view).not.toHaveProperty("params");
  }
});

it.each([
  ["GET", "/v1/plants", 405, "POST", "GET /v1/plants: must be POST; the path has no other methods"],
  ["PUT", "/v1/plants/7", 405, "GET, DELETE", "PUT /v1/plants/7: must be GET, DELETE; the path has no other methods"],
  [
    "GET",
    "/v1/plants/",
    404,
    undefined,
    "GET /v1/plants/: must be POST /v1/plants or GET /v1/plants/{plantId} or DELETE /v1/plants/{plantId}; " +
      "the service has no other operations",
  ],
  ["GET", "/v1/plants/7?x=1", 404, undefined, 'unknown query parameter "x"; expected verbose'],
  ["GET", "/v1/plants/7?verbose=?&x=1", 404, undefined, 'unknown query parameter "x"; expected verbose'],
  ["DELETE", "/v1/plants/7?x=1", 404, undefined, 'unknown query parameter "x"; expected force, reason'],
  ["POST", "/v1/plants?x", 404, undefined, 'unknown query parameter "x"; expected none'],
])("%s %s is refused with %i and what the table allows", (method, path, status, allow, message) => {
  const { send } = open();
  const headers = [...JSON_HEADERS, ...(allow === undefined ? [] : ["Allow", allow])];
  expect(send(method, path)).toMatchObject({ status, headers });
  expect(JSON.parse((send(method, path) as { body: string }).body).message).toContain(message);
});

it("verify names the operations of the table", () => {
  const { send, session } = open();
  send("GET", "/v1/other");
  expect(() => verify(session)).toThrow(
    "send POST /v1/plants or GET /v1/plants/{plantId} or DELETE /v1/plants/{plantId}, or set the response",
  );
});
