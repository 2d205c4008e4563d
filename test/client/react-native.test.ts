import { createPlants, PlantStoreClient } from "plant-store-client";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { never, PLANT } from "./fixtures/setup.ts";
import { TestClock } from "./fixtures/test-clock.ts";

/** React Native's AbortController is that of the package abort-controller: its signals have no `reason`. */
class OldAbortController {
  readonly signal = Object.assign(new EventTarget(), { aborted: false });

  readonly abort = () => {
    this.signal.aborted = true;
    this.signal.dispatchEvent(new Event("abort"));
  };
}

beforeEach(() => {
  vi.stubGlobal("AbortController", OldAbortController);
  vi.stubGlobal("DOMException", undefined);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const clientOf = (fetch: () => Promise<unknown>, clock = new TestClock()) =>
  new PlantStoreClient({ baseUrl: "https://plants.test", token: "t", timeoutMs: 40, fetch: fetch as never, clock });

test("a call ends at its deadline", async () => {
  const clock = new TestClock();
  const call = clientOf(never, clock).createPlant(PLANT);
  const failed = expect(call).rejects.toMatchObject({ kind: "timeout", outcome: "unknown" });
  await clock.advance(40);
  await failed;
});

describe("an abort, whose signal has no reason,", () => {
  const abortedByFetch = () => {
    const { signal, abort } = new OldAbortController();
    const client = clientOf(() => {
      abort();
      return never();
    });
    return { client, signal: signal as unknown as AbortSignal };
  };

  test("rejects a call with an AbortError", async () => {
    const { client, signal } = abortedByFetch();
    const call = client.createPlant(PLANT, { signal });
    await expect(call).rejects.toMatchObject({
      ...{ name: "AbortError", outcome: "unknown", cause: { name: "AbortError", message: "The call was aborted" } },
    });
  });

  test("ends createPlants with an AbortError", async () => {
    const { client, signal } = abortedByFetch();
    const results = createPlants(client, [PLANT, PLANT], { concurrency: 1, signal });
    expect(await results.next()).toMatchObject({
      value: { ok: false, error: { kind: "aborted", outcome: "unknown" } },
    });
    await expect(results.next()).rejects.toMatchObject({ name: "AbortError" });
  });
});
