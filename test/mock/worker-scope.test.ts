import { expect, it } from "vitest";
import { checkScope, unregistered } from "../../mock/msw/setup-worker.ts";

const page = (path: string, controller: object | null): never =>
  ({ location: { href: `https://page.test${path}` }, navigator: { serviceWorker: { controller } } }) as never;

const scope = "https://page.test/app/";

it.each(["/other", "/app"])("a page at %s is outside the folder of the worker script", (path) => {
  expect(() => checkScope({ scope }, page(path, null))).toThrow(
    `mock.start(): the worker script in ${scope} intercepts no requests of https://page.test${path}; put it in a folder above that page`,
  );
});

it.each([
  ["in the folder", { scope }, page("/app/", null)],
  ["below it", { scope }, page("/app/beds", null)],
  ["controlled, with a URL of its router", { scope }, page("/other", {})],
  ["not registered", undefined, page("/other", null)],
])("a page is accepted if it is %s", (_, registration, globals) => {
  expect(() => checkScope(registration, globals)).not.toThrow();
});

it.each([
  ["at once, without a registration", undefined, Infinity, 0],
  ["at once, if it is gone", { scope }, 0, 1],
  ["once it is gone", { scope }, 20, 21],
  ["in the end, if another page keeps it", { scope }, Infinity, 200],
])("the wait for the worker to unregister ends %s", async (_, registration, stays, expected) => {
  let looks = 0;
  const other = { scope: "https://page.test/other/" };
  const getRegistrations = async () => (looks++ < stays ? [other, { scope }] : [other]);
  await unregistered(registration, { navigator: { serviceWorker: { getRegistrations } } } as never);
  expect(looks).toBe(expected);
});
