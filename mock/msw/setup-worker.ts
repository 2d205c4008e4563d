import { setupWorker } from "msw/browser";
import { optional, string } from "../../src/contract/rules.ts";
import { createMock } from "../memory/create-mock.ts";
import { serviceOf } from "../service/adapter.ts";
import { checkRule } from "../service/check-options.ts";
import type { MockPlantStoreOptions } from "../service/mock-options.ts";
import type { MockPlantStore } from "../service/mock-plant-store.ts";
import { DISPOSE } from "../service/sessions/session.ts";
import { checkReaction, handlersOf } from "./handlers.ts";

/** Options of {@link setupMockPlantStoreWorker}. */
export interface SetupMockPlantStoreWorkerOptions extends MockPlantStoreOptions {
  /**
   * Where the page finds MSW's worker script.
   *
   * @defaultValue `"/mockServiceWorker.js"`
   */
  workerUrl?: string | undefined;
  /**
   * What MSW does with a request that is not under the base URL.
   *
   * @defaultValue `"bypass"`: a page loads much else
   */
  onUnhandledRequest?: "bypass" | "warn" | "error" | undefined;
}

/** A mock that a service worker brings requests to. */
export interface WorkerMockPlantStore extends Omit<MockPlantStore, typeof Symbol.dispose> {
  /**
   * Registers the worker and starts the interception; further calls do nothing.
   *
   * @throws TypeError if a fault is queued that a service worker cannot reproduce.
   */
  start(): Promise<void>;
  /** Ends the interception and every session, and resets the root. It may start again. */
  stop(): Promise<void>;
  /** The same as {@link WorkerMockPlantStore.stop}. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Makes a mock that intercepts the requests of a page through MSW's service worker.
 *
 * @param options - What differs from the defaults.
 * @returns the mock, not yet started.
 * @throws TypeError that names the option which is not valid.
 *
 * @example
 * {@includeCode ../../docs/code/testing/browser.ts}
 */
export function setupMockPlantStoreWorker(options: SetupMockPlantStoreWorkerOptions = {}): WorkerMockPlantStore {
  const mock = createMock(options, { isInMemory: false, optionNames: ["workerUrl", "onUnhandledRequest"] });
  const service = serviceOf(mock);
  checkReaction(options.onUnhandledRequest);
  checkRule(optional(string), options.workerUrl, "workerUrl");
  const reaction = options.onUnhandledRequest ?? "bypass";
  const serviceWorker = { url: options.workerUrl ?? "/mockServiceWorker.js" };
  // MSW 2 knows the first name of the reaction, MSW 3 the second.
  const startOptions = { serviceWorker, quiet: true, onUnhandledRequest: reaction, onUnhandledFrame: reaction };
  /** Resolves to what detaches the worker from the service. */
  let started: Promise<() => void> | undefined;
  // If the mock has the page's own origin to itself, only the paths of operations are the mock's.
  const isPage = service.baseUrl === globalThis.location?.origin;
  // A request may reach the worker before it knows that it was stopped.
  const accepts = (path: string) => started !== undefined && (!isPage || service.hasPath(path));
  const createWorker = () => setupWorker(...handlersOf(service, accepts));
  let worker = createWorker();

  const begin = async (detach: () => void) => {
    try {
      await worker.start(startOptions);
      return detach;
    } catch (error) {
      // After a start that failed, MSW 2 says it is started; a new worker does not. Not awaited: in MSW 3 the stop of
      // such a one does not settle.
      detach();
      started = undefined;
      void worker.stop();
      worker = createWorker();
      throw error;
    }
  };
  const stop = async () => {
    service.close();
    const running = started;
    if (running === undefined) return;
    started = undefined;
    const detach = await running;
    await worker.stop();
    detach();
  };
  const start = async () => {
    started ??= begin(service.attach("browser"));
    await started;
  };
  const asyncDispose: typeof Symbol.asyncDispose = Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose");
  return Object.assign(mock, { start, stop, [DISPOSE]: undefined, [asyncDispose]: stop });
}
