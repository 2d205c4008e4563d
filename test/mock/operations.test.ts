import { expect, it } from "vitest";
import type { Operation } from "../../mock/service/operation.ts";
import { createPlant } from "../../mock/service/operations/create-plant.ts";
import { resolveOptions } from "../../mock/service/resolve-options.ts";
import { Service } from "../../mock/service/service.ts";
import { DECLARED } from "../../mock/service/service-reply.ts";
import { verify } from "../../mock/service/sessions/verify.ts";
import { JSON_HEADERS } from "../../mock/service/wire-reply.ts";

const listPlants: Operation = {
  method: "GET",
  path: "/plants",
  query: ["verbose"],
  handle: () => ({ how: "reply", status: 200, headers: JSON_HEADERS, body: "[]", source: DECLARED }),
};

const deletePlants: Operation = { ...listPlants, method: "DELETE", query: ["force", "reason"] };
const listTags: Operation = { ...listPlants, path: "/tags", query: [] };

/** A service with three more operations. */
function open() {
  const table = [createPlant, listPlants, deletePlants, listTags];
  const service = new Service(resolveOptions({ baseUrl: "http://plants.test/v1" }), table);
  const headers = new Map([["authorization", "Bearer t"]]);
  const send = (method: string, path: string) => {
    return service.receive({ method, path, headers, body: "" }, service.sessionOf("Bearer t"), () => {});
  };
  return { service, send, session: service.sessions.root.state };
}

it("each operation of the table is served under the base URL", () => {
  const { service, send } = open();
  expect(service.router.operations.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "POST /v1/plants",
    "GET /v1/plants",
    "DELETE /v1/plants",
    "GET /v1/tags",
  ]);
  expect(send("GET", "/v1/plants?verbose=1")).toMatchObject({ status: 200, body: "[]" });
  expect(send("POST", "/v1/plants?")).toMatchObject({ status: 400 });
});

it.each([
  ["PUT", "/v1/plants", 405, "POST, GET, DELETE", "must be POST, GET, DELETE; the path has no other methods"],
  ["POST", "/v1/tags", 405, "GET", "POST /v1/tags: must be GET; the path has no other methods"],
  [
    "GET",
    "/v1/plants/",
    404,
    undefined,
    "GET /v1/plants/: must be POST /v1/plants or GET /v1/plants or DELETE /v1/plants or GET /v1/tags; " +
      "the service has no other operations",
  ],
  ["GET", "/v1/plants?x=1", 404, undefined, 'unknown query parameter "x"; expected verbose'],
  ["GET", "/v1/plants?verbose=?&x=1", 404, undefined, 'unknown query parameter "x"; expected verbose'],
  ["DELETE", "/v1/plants?x=1", 404, undefined, 'unknown query parameter "x"; expected force, reason'],
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
    "send POST /v1/plants or GET /v1/plants or DELETE /v1/plants or GET /v1/tags, or set the response",
  );
});
