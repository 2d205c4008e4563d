import { expect, test } from "vitest";
import { runChild } from "../client/fixtures/child.ts";

/** What a child process prints. */
async function outputOf(code: string): Promise<string> {
  const source = `
    import { createPlants, PlantStoreClient } from "./src/index.ts";
    import { createMockPlantStore } from "./mock/index.ts";
    const lines = [];
    process.on("uncaughtException", ({ message }) => lines.push("uncaught: " + message));
    process.on("exit", () => {
      process.exitCode = 0;
      console.log(JSON.stringify(lines.join("\\n")));
    });
    const never = () => new Promise(() => {});
    const store = createMockPlantStore({ time: "virtual" });
    const plant = { id: 7, name: "Aloe" };
    const clientWith = (options) => new PlantStoreClient({ ...store.clientOptions, ...options });
    const failure = (options, given) => clientWith(options).tryCreatePlant(plant, given)
      .then(({ error }) => lines.push([error.kind, error.outcome, error.cause.message].join(" ")));
    ${code}`;
  return `${await runChild(source)}`;
}

const REASON = "virtual time has stood still for 4 s, because it waits for";

// Each waits for four seconds: all of them at once.
test.concurrent.each([
  ["a token provider", "token not-sent", "await failure({ token: never });"],
  ["a fetch", "connection unknown", "await failure({ fetch: never });"],
  ["a fetch and a gate that holds a request", "connection unknown", "store.hold(); await failure({});"],
  [
    "a response body",
    "connection unknown",
    `const body = () => new ReadableStream({ pull: never });
     await failure({ fetch: async () => new Response(body()) });`,
  ],
])("a call whose virtual time waits for %s fails after four seconds, and says so", async (what, how, code) => {
  expect(await outputOf(code)).toContain(`${how} ${REASON} ${what};`);
});

test.concurrent("createPlants whose virtual time waits for its input ends after four seconds, and says so", async () => {
  const output = await outputOf(
    `store.clock.after(1, () => {});
     const reading = async () => {
       for await (const _ of createPlants(clientWith({}), { [Symbol.asyncIterator]: () => ({ next: never }) }));
     };
     await reading().catch(({ message }) => lines.push("rejected: " + message));`,
  );
  expect(output).toMatch(new RegExp(`^rejected: ${REASON} the input of createPlants;`));
});

test("a timer that throws is reported by the runtime, and the time goes on", async () => {
  const output = await outputOf(
    `store.clock.after(5, () => { throw new Error("oops"); });
     await store.clock.sleep(10);
     lines.push("at " + store.clock.now());`,
  );
  expect(output).toBe("uncaught: oops\nat 10");
});
