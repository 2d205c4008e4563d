import { faults } from "plant-store-client/mock";
import { startMockPlantStore } from "plant-store-client/mock/http";
import { expect, it } from "vitest";
import { declaredOperations } from "../../declared-operations.ts";
import { post } from "./post.ts";

const preflight = {
  method: "OPTIONS",
  headers: {
    Origin: "http://app.test",
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization,content-type",
  },
};

it("a page of another origin may call the service if cors is set", async () => {
  await using mock = await startMockPlantStore({ cors: true });
  const asked = await fetch(`${mock.url}/plants`, preflight);
  expect(asked.status).toBe(204);
  expect(Object.fromEntries(asked.headers)).toMatchObject({
    "access-control-allow-origin": "*",
    "access-control-allow-methods": [...new Set(declaredOperations.map(({ method }) => method))].join(", "),
    "access-control-allow-headers": "authorization,content-type",
    "access-control-max-age": "600",
    vary: "Access-Control-Request-Headers",
  });
  expect(mock.requests.count).toBe(0);
  const reply = await post(mock.baseUrl, '{"id":1,"name":"x"}');
  expect(reply.headers.get("access-control-allow-origin")).toBe("*");
  expect(reply.headers.get("access-control-expose-headers")).toBe("content-type");
});

it("a preflight without requested headers is allowed none", async () => {
  await using mock = await startMockPlantStore({ cors: true });
  const { Origin, ...rest } = preflight.headers;
  const headers = { Origin, "Access-Control-Request-Method": rest["Access-Control-Request-Method"] };
  const asked = await fetch(`${mock.url}/plants`, { method: "OPTIONS", headers });
  expect(asked.headers.has("access-control-allow-headers")).toBe(false);
});

it("OPTIONS that is not a preflight is handled as any other method", async () => {
  await using mock = await startMockPlantStore({ cors: true });
  const { Origin, "Access-Control-Request-Method": asked } = preflight.headers;
  for (const headers of [{}, { Origin }, { "Access-Control-Request-Method": asked }] as Record<string, string>[]) {
    expect((await fetch(`${mock.url}/plants`, { method: "OPTIONS", headers })).status).toBe(405);
  }
  expect((await fetch(`${mock.url}/plants`, { method: "PUT", headers: preflight.headers })).status).toBe(405);
});

it("without the option there are no CORS headers, and a preflight is an unknown method", async () => {
  await using mock = await startMockPlantStore();
  const asked = await fetch(`${mock.url}/plants`, preflight);
  expect([asked.status, asked.headers.has("access-control-allow-origin")]).toEqual([405, false]);
  expect(() => mock.verify()).toThrow("OPTIONS /plants returned 405: the service has no such operation");
});

it("pages of other origins can never call the control API", async () => {
  await using mock = await startMockPlantStore({ cors: true });
  const asked = await fetch(`${mock.url}/_mock/reset`, preflight);
  expect([asked.status, asked.headers.has("access-control-allow-origin")]).toEqual([403, false]);
});

it("a response that sets a CORS header itself keeps its own", async () => {
  await using mock = await startMockPlantStore({ cors: true });
  const headers = { "X-Note": "access-control-expose-headers", "access-control-allow-origin": "http://one.test" };
  mock.inject(faults.reply({ status: 503, headers }));
  const reply = await post(mock.baseUrl, '{"id":1,"name":"x"}');
  expect(reply.headers.get("access-control-allow-origin")).toBe("http://one.test");
  expect(reply.headers.get("access-control-expose-headers")).toBe("x-note, access-control-allow-origin");
  mock.inject(faults.lostResponse());
  await expect(post(mock.baseUrl, '{"id":1,"name":"x"}')).rejects.toThrow("fetch failed");
});
