import { setImmediate as immediate } from "node:timers/promises";
import { type Scenario, SimulationError, simulate } from "plant-store-client/mock";
import { expect, test } from "vitest";
import { listen } from "../../listen.ts";
import { rightImports } from "./imports.ts";

const create = rightImports["one plant after the other"] as Scenario;

// A standstill takes seconds of real time: all of them at once.
test.concurrent.each<[string, Scenario, RegExp]>([
  ["waits for ever", () => new Promise(() => {}), /a promise that nothing settles; crypto/],
  [
    "holds the time",
    ({ clock }) => {
      clock.hold("a lock");
      return new Promise((resolve) => clock.after(1, () => resolve({})));
    },
    /a lock \(seed 3, run 0\)$/m,
  ],
  [
    "loops by immediates",
    async () => {
      for (;;) await immediate();
    },
    /a loop of immediates \(seed 3, run 0\)$/m,
  ],
])("a run fails whose code %s, and says so", async (_, scenario, reason) => {
  const error = await simulate(scenario, { runs: 1, seed: 3 }).then(
    () => expect.fail("it passed"),
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(SimulationError);
  expect(error.message).toMatch(/^virtual time has stood still, because it waits for /);
  expect(error.message).toMatch(reason);
});

test.concurrent("a connection that a run leaves open for the next one does not hold the time", async () => {
  await using server = await listen(({ socket }, response) => {
    // The other end, in this process, would hold it.
    socket.unref();
    response.end("Aloe");
  });
  const names: string[] = [];
  await simulate(
    async (world) => {
      names.push(await fetch(server.url).then((response) => response.text()));
      return create(world);
    },
    { runs: 2, faults: [], plants: 1 },
  );
  expect(names).toEqual(["Aloe", "Aloe", "Aloe"]);
});
