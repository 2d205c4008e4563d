import fc from "fast-check";
import { createMockPlantStore } from "plant-store-client/mock";
import { type HttpMockPlantStore, startMockPlantStore } from "plant-store-client/mock/http";
import { afterAll, beforeAll, test } from "vitest";
import { commands } from "./commands.ts";
import { type Model, newSessionModel, type Real, RealSession } from "./model.ts";

/** Runs sequences of commands, each from a fresh session of one store. */
async function runMachine(store: Real["store"], numRuns: number): Promise<void> {
  const property = fc.asyncProperty(commands, async (sequence) => {
    const first = store.session();
    const real = { store, sessions: [new RealSession(first)] };
    const model: Model = [newSessionModel()];
    try {
      await fc.asyncModelRun(() => ({ model, real }), sequence);
    } finally {
      for (const { session } of real.sessions) session[Symbol.dispose]();
    }
  });
  await fc.assert(property, { numRuns });
}

test("in memory, any sequence of creates, faults, gates, resets and aborts has the result that the model predicts", async () => {
  await runMachine(createMockPlantStore(), 400);
});

let server: HttpMockPlantStore;
beforeAll(async () => {
  server = await startMockPlantStore();
});
afterAll(() => server.close());

test("over HTTP, any sequence of creates, faults, gates, resets and aborts has the result that the model predicts", async () => {
  await runMachine(server, 100);
});
