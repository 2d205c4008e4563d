import { string } from "../../src/checks/rules.ts";
import { checkGlobals, createMock } from "../memory/create-mock.ts";
import type { MockPlantStore } from "../service/mock-plant-store.ts";
import { resolveOptions } from "../service/resolve-options.ts";
import { DISPOSE } from "../time/runtime.ts";
import { onUnhandled, reactionRule, type SetupMockPlantStoreOptions } from "./intercept.ts";
import { WorkerInterception } from "./worker-interception.ts";

/** Options of {@link setupMockPlantStoreWorker}. */
export interface SetupMockPlantStoreWorkerOptions extends SetupMockPlantStoreOptions {
  /**
   * The URL of MSW's worker script.
   *
   * @defaultValue `"/mockServiceWorker.js"`
   */
  workerUrl?: string | undefined;
}

/** A mock whose requests MSW's service worker intercepts. */
export interface WorkerMockPlantStore extends Omit<MockPlantStore, "close" | typeof Symbol.dispose> {
  /**
   * Registers the worker and starts the interception; further calls have no effect.
   *
   * @throws Error if another mock has started, the page is outside the script's folder, or the script cannot be registered.
   */
  start(): Promise<void>;
  /** Ends the interception and every session, and resets the root session. The mock can start again. */
  stop(): Promise<void>;
  /** The same as {@link WorkerMockPlantStore.stop}. */
  close(): Promise<void>;
  /** The same as {@link WorkerMockPlantStore.stop}. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Creates a mock that intercepts the requests of a page through MSW's service worker.
 *
 * @param options - Options that differ from the defaults.
 * @returns The mock, not yet started.
 * @throws TypeError that names the invalid option.
 *
 * @example
 * {@includeCode ../../docs/code/testing/browser.ts}
 */
export function setupMockPlantStoreWorker(options: SetupMockPlantStoreWorkerOptions = {}): WorkerMockPlantStore {
  checkGlobals();
  const rules = { workerUrl: string, onUnhandledRequest: reactionRule };
  const { mock, service } = createMock(resolveOptions(options, rules));
  const interception = new WorkerInterception(mock, service, {
    serviceWorker: { url: options.workerUrl ?? "/mockServiceWorker.js" },
    quiet: true,
    ...onUnhandled(options.onUnhandledRequest ?? "bypass"),
  });
  const start = () => interception.start();
  const stop = () => interception.stop();
  const asyncDispose: typeof Symbol.asyncDispose = Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose");
  return Object.assign(mock, { start, stop, close: stop, [DISPOSE]: undefined, [asyncDispose]: stop });
}
