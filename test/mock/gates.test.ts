import { createMockPlantStore, faults } from "plant-store-client/mock";
import { expect, it } from "vitest";
import { createMock } from "../../mock/memory/create-mock.ts";
import { resolveOptions } from "../../mock/service/resolve-options.ts";
import { collected } from "../collect-garbage.ts";
import { post, rejection } from "./post.ts";

const PLANT = '{"id":1,"name":"Fern"}';

it("holds requests after their body was read and before they are validated", async () => {
  const mock = createMockPlantStore();
  const gate = mock.hold();
  const arrived = gate.arrived(2);
  const replies = [post(mock, PLANT), post(mock, "{")];
  await arrived;
  expect(mock.plants.size).toBe(0);
  expect([...mock.requests].map(({ bodyText, status }) => [bodyText, status])).toEqual([
    [PLANT, undefined],
    ["{", undefined],
  ]);
  gate.release();
  expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([200, 400]);
  expect((await post(mock, PLANT)).status).toBe(200);
});

it("resolves at once if enough requests have arrived", async () => {
  const mock = createMockPlantStore();
  const gate = mock.hold();
  const reply = post(mock, PLANT);
  await gate.arrived(1);
  await gate.arrived(1);
  gate.release();
  gate.release();
  await reply;
  await gate.arrived(1);
});

it("waits for the given number of requests", async () => {
  const mock = createMockPlantStore();
  const gate = mock.hold();
  const arrived = gate.arrived(2).then(() => mock.requests.count);
  const first = post(mock, PLANT);
  await gate.arrived(1);
  const second = post(mock, PLANT);
  expect(await arrived).toBe(2);
  gate.release();
  await Promise.all([first, second]);
});

it("opens only when every gate is released", async () => {
  const mock = createMockPlantStore();
  const [first, second] = [mock.hold(), mock.hold()];
  const reply = post(mock, PLANT);
  await first.arrived(1);
  await second.arrived(1);
  first.release();
  await new Promise((resolve) => setImmediate(resolve));
  expect(mock.plants.size).toBe(0);
  second.release();
  expect((await reply).status).toBe(200);
});

it("uses faults that are injected while a request is held", async () => {
  const mock = createMockPlantStore();
  const gate = mock.hold();
  const reply = post(mock, PLANT);
  await gate.arrived(1);
  mock.inject(faults.apiError(1, "no"));
  gate.release();
  expect((await reply).status).toBe(400);
});

it("explains why fewer requests have arrived than a test waits for, by what ended it first", async () => {
  const mock = createMockPlantStore();
  const [released, ended] = [mock.hold(), mock.hold()];
  const waiting = rejection(ended.arrived(2));
  released.release();
  mock.reset();
  ended.release();
  const first = "await arrived() first";
  expect((await waiting).message).toBe(`gate.arrived(2): the session was reset after 0 of 2 requests; ${first}`);
  await expect(ended.arrived(1)).rejects.toThrow("gate.arrived(1): the session was reset after 0 of 1 requests");
  await expect(released.arrived(1)).rejects.toThrow("gate.arrived(1): the gate was released after 0 of 1 requests");
  expect((await post(mock, PLANT)).status).toBe(200);
});

it("leaves no rejection unhandled if nothing awaits the requests when its session is reset", async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on("unhandledRejection", note);
  const mock = createMockPlantStore();
  void mock.hold().arrived(1);
  mock.reset();
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});

it("counts whole requests", () => {
  const gate = createMockPlantStore().hold();
  for (const count of [0, -1, 1.5, "2" as never]) {
    expect(() => gate.arrived(count)).toThrow(/^count: must be an integer from 1, not /);
  }
});

it("a wait that begins after a reset ends at once", async () => {
  const mock = createMockPlantStore({
    auth: {
      tokens: () => {
        mock.reset();
        return true;
      },
    },
  });
  for (const fault of [faults.delay(3_600_000), faults.stalledBody()]) {
    mock.inject(fault);
    expect(await rejection(post(mock, PLANT))).toMatchObject({ message: "fetch failed" });
  }
});

it("does not keep the state of its session in memory after that has ended", async () => {
  const { mock, service } = createMock(resolveOptions({}));
  const openAndDispose = () => {
    const session = mock.session();
    const gates = [session.hold(), session.hold()] as const;
    const state = new WeakRef(service.sessions.of(session.token).state);
    gates[0].release();
    session[Symbol.dispose]();
    return { gates, state };
  };
  const { gates, state } = openAndDispose();
  await collected(state);
  await expect(gates[1].arrived(1)).rejects.toThrow("the session was reset");
});
