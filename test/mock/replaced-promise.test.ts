import { PlantStoreClient } from "plant-store-client";
import { faults } from "plant-store-client/mock";
import { describe, expect, it, vi } from "vitest";
import { adapters } from "./adapters.ts";

// Libraries such as zone.js and Bluebird replace the global Promise. Async functions still return the runtime's own.

describe.each(Object.entries(adapters))("the mock with the adapter %s", (_, start) => {
  it("delays a response if the global Promise is replaced", async () => {
    const { mock, send, close } = await start();
    vi.stubGlobal("Promise", class extends Promise<unknown> {});
    mock.inject(faults.delay(1));
    const client = new PlantStoreClient({ ...mock.clientOptions, fetch: send });
    expect(await client.tryCreatePlant({ id: 1, name: "Acer" })).toMatchObject({ ok: true });
    vi.unstubAllGlobals();
    await close();
  });
});
