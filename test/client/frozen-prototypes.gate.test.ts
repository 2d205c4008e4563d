import { expect, test } from "vitest";
import { runChild } from "./fixtures/child.ts";

// Applications freeze prototypes against their pollution. If an error could then not be made in the callback of a timer or
// of a signal, the process would end.
test("deadlines, aborts and faults end calls as usual if the prototypes are frozen", async () => {
  const results = await runChild(`
    import { PlantStoreClient } from "./src/index.ts";
    import { createMockPlantStore, faults } from "./mock/index.ts";
    const builtins = [Object, Function, Array, Error, TypeError, Promise, Map, Set, String, Number, RegExp, Date];
    for (const { prototype } of builtins) Object.freeze(prototype);
    const mock = createMockPlantStore();
    const client = new PlantStoreClient({ ...mock.clientOptions, backoff: { initialMs: 1, maxMs: 1 } });
    const create = async (fault, options) => {
      mock.inject(fault);
      const { plant, error } = await client.tryCreatePlant({ id: 1, name: "Fern" }, options);
      return plant?.name ?? \`\${error.kind}: \${error.cause?.cause ?? error.cause ?? error.body?.message}\`;
    };
    const controller = new AbortController();
    // As in React Native, whose signals have no reason.
    Object.defineProperty(controller.signal, "reason", { value: undefined });
    setImmediate(() => controller.abort());
    console.log(JSON.stringify([
      await create(faults.hang(), { signal: controller.signal }),
      await create(faults.hang(), { timeoutMs: 20 }),
      await create(faults.stalledBody(), { timeoutMs: 20 }),
      await create(faults.connectionRefused()),
      await create(faults.networkError()),
      await create(faults.lostResponse()),
      await create(faults.truncatedBody()),
      await create(faults.apiError(7, "full")),
    ]));`);
  expect(results).toEqual([
    "aborted: AbortError: The call was aborted",
    "timeout: undefined",
    "timeout: undefined",
    "Fern",
    "connection: Error: read ECONNRESET",
    "connection: SocketError: other side closed",
    "connection: SocketError: other side closed",
    "api: full",
  ]);
});
