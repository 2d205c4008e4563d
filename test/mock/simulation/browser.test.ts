import { performance } from "node:perf_hooks";
import { afterEach, expect, test, vi } from "vitest";
import { RealWork } from "../../../mock/time/real-work.ts";
import { ownTime } from "../../../mock/time/runtime.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Loads client and mock again where there are no modules of Node, as in a browser or React Native. */
async function loadWithout(...names: string[]) {
  for (const name of names) {
    vi.stubGlobal(name, undefined);
    Reflect.deleteProperty(globalThis, name);
  }
  vi.resetModules();
  // Copies of the package share it.
  Reflect.deleteProperty(globalThis, Symbol.for("plant-store-client.simulations"));
  const [{ PlantStoreClient }, { createMockPlantStore, simulate }] = await Promise.all([
    import("../../../src/index.ts"),
    import("../../../mock/index.ts"),
  ]);
  return { PlantStoreClient, createMockPlantStore, simulate };
}

test("virtual time and simulations pass in Node, in an environment without MessageChannel", async () => {
  const { PlantStoreClient, createMockPlantStore, simulate } = await loadWithout("MessageChannel");
  const { clock } = createMockPlantStore({ time: "virtual" });
  await clock.sleep(60_000);
  expect(clock.now()).toBe(60_000);
  const { created } = await simulate(
    async ({ plants, clientOptions }) => {
      const ids = plants.map(({ id }) => id);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      for (const plant of plants) await new PlantStoreClient(clientOptions).createPlant(plant);
      return { created: ids };
    },
    { runs: 2, faults: [] },
  );
  expect(created).toBe(12);
});

test("in a runtime without an async context, virtual time passes and simulations are refused", async () => {
  vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined as never);
  const { createMockPlantStore, simulate } = await loadWithout("MessageChannel", "setImmediate", "clearImmediate");
  const { clock } = createMockPlantStore({ time: "virtual" });
  await clock.sleep(60_000);
  expect(clock.now()).toBe(60_000);
  await expect(simulate(() => ({}))).rejects.toThrow(
    "simulate: needs AsyncLocalStorage, which tells the code of the scenario from other code; run it on Node, Bun or Deno",
  );
});

const { versions } = process;
const never = () => new Promise<boolean>(() => {});
const processWith = (active: string[], own: object = {}) => ({
  versions,
  getActiveResourcesInfo: () => active,
  ...own,
});

test("what a runtime shows of real work is under way if it is more than at the start, until it is idle", () => {
  const active = ["PipeWrap", "Timeout", "TTYWrap"];
  const work = new RealWork(ownTime(), processWith(active));
  expect([work.isUnderWay(), work.quietTurns]).toEqual([false, 1]);
  active.push("FSReqCallback", "TCPSocketWrap");
  expect(work.isUnderWay()).toBe(true);
  work.onIdle();
  expect(work.isUnderWay()).toBe(false);
  expect(work.words).toBe(
    "real work that does not end: PipeWrap and TTYWrap and FSReqCallback and TCPSocketWrap; open lasting connections before the simulation",
  );
  const closed = active.pop() as string;
  expect(work.isUnderWay()).toBe(false);
  active.push(closed);
  expect(work.isUnderWay()).toBe(true);
});

test.each([
  ["Deno", { versions: { ...versions, deno: "2.9.6" }, getActiveResourcesInfo: undefined }],
  ["Bun", { versions: { ...versions, bun: "1.4.5" } }],
])("%s shows nothing: more turns have to be quiet", (_, own) => {
  const work = new RealWork(ownTime(), processWith([], own) as never);
  expect([work.isUnderWay(), work.quietTurns]).toEqual([false, 20]);
});

test("in a browser, which has no setImmediate, one quiet turn is enough", async () => {
  vi.stubGlobal("setImmediate", undefined);
  const work = new RealWork(ownTime(), processWith([], { versions: undefined }) as never);
  expect(work.quietTurns).toBe(1);
});

test.each([
  ["Node", {}],
  ["Bun, which does not count the time of an idle loop", { idle: 0 }],
])("a far jump waits on while other threads of the process compute, but not for ever: %s", async (_, loop) => {
  const { eventLoopUtilization } = performance;
  vi.spyOn(performance, "eventLoopUtilization").mockImplementation(() => ({ ...eventLoopUtilization(), ...loop }));
  let calls = 0;
  const cpuUsage = () => ({ user: 500_000 * ++calls, system: 0 });
  let waits = 0;
  const setTimeout = (callback: () => void) => {
    waits++;
    callback();
  };
  const work = new RealWork({ ...ownTime(), setTimeout } as never, processWith([], { cpuUsage }));
  await work.beforeJump(60_000, 0, never);
  expect(waits).toBe(10);
  expect(work.beforeJump(60_000, 0, never)).toBeUndefined();
});

test("what has ended while the process was blocked in a wait gets a turn before a far jump", async () => {
  const timers: (() => void)[] = [];
  const turns: (() => void)[] = [];
  const real = {
    ...ownTime(),
    setTimeout: (callback: () => void) => timers.push(callback),
    setImmediate: (callback: () => void) => turns.push(callback),
  };
  const work = new RealWork(real as never, processWith([]));
  let isOver = false;
  const wait = work.beforeJump(60_000, 0, never)?.then(() => {
    isOver = true;
  });
  timers.shift()?.();
  await new Promise((resolve) => setImmediate(resolve));
  expect(isOver).toBe(false);
  turns.shift()?.();
  await wait;
});

test.each([
  ["what happens in a wait is real work that nothing shows, and ends it", true, 1],
  ["the end of a run ends a wait, and is no real work", false, 0],
])("%s", async (_, hasHappened, unseen) => {
  const work = new RealWork(ownTime(), processWith([]));
  let end!: (hasHappened: boolean) => void;
  const event = () =>
    new Promise<boolean>((resolve) => {
      end = resolve;
    });
  const wait = work.beforeJump(60_000, 0, event);
  end(hasHappened);
  await wait;
  expect(work.unseen).toBe(unseen);
});

test("without setImmediate, as in Jest's jsdom, real work gets its turns", async () => {
  const real = { ...ownTime(), setImmediate: undefined } as never;
  await new RealWork(real, processWith([]) as never).turn();
});
