import { type SetupWorker, setupWorker } from "msw/browser";
import { string } from "../../src/contract/rules.ts";
import { createMock } from "../memory/create-mock.ts";
import { serviceOf } from "../service/adapter.ts";
import type { MockPlantStoreOptions } from "../service/mock-options.ts";
import type { MockPlantStore } from "../service/mock-plant-store.ts";
import { resolveOptions } from "../service/options.ts";
import { DISPOSE } from "../service/sessions/session.ts";
import { handlersOf } from "./handlers.ts";
import { onUnhandled, reactionRule } from "./unhandled.ts";

/** Options of {@link setupMockPlantStoreWorker}. */
export interface SetupMockPlantStoreWorkerOptions extends MockPlantStoreOptions {
  /**
   * The URL of MSW's worker script.
   *
   * @defaultValue `"/mockServiceWorker.js"`
   */
  workerUrl?: string | undefined;
  /**
   * How MSW handles a request outside the base URL.
   *
   * @defaultValue `"bypass"`, because a page also loads other files
   */
  onUnhandledRequest?: "bypass" | "warn" | "error" | undefined;
}

/** A mock whose requests MSW's service worker intercepts. */
export interface WorkerMockPlantStore extends Omit<MockPlantStore, typeof Symbol.dispose> {
  /**
   * Registers the worker and starts the interception; further calls have no effect.
   *
   * @throws TypeError if a service worker cannot reproduce a queued fault.
   * @throws Error from MSW if the worker cannot be registered.
   */
  start(): Promise<void>;
  /** Ends the interception and every session, and resets the root session. The mock can start again. */
  stop(): Promise<void>;
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
  const mock = createMock(resolveOptions(options, { workerUrl: string, onUnhandledRequest: reactionRule }));
  const service = serviceOf(mock);
  /** Resolves to the function that detaches the worker from the service. */
  let started: Promise<() => void> | undefined;
  // If the base URL is the page's own origin, the mock handles only the paths of operations.
  const isPage = service.baseUrl === globalThis.location?.origin;
  // A request may still arrive while the worker is being stopped.
  const accepts = (path: string) => started !== undefined && (!isPage || service.hasPath(path));
  const worker = restartable(() => setupWorker(...handlersOf(service, accepts)), {
    serviceWorker: { url: options.workerUrl ?? "/mockServiceWorker.js" },
    quiet: true,
    ...onUnhandled(options.onUnhandledRequest ?? "bypass"),
  });

  const begin = async (detach: () => void) => {
    try {
      await worker.start();
      return detach;
    } catch (error) {
      detach();
      started = undefined;
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

/** MSW's worker, which can be started again even if a start fails. */
function restartable(createWorker: () => SetupWorker, options: Parameters<SetupWorker["start"]>[0]) {
  let worker = createWorker();
  const start = async () => {
    try {
      await worker.start(options);
    } catch (error) {
      // After a failed start, MSW 2 considers the worker started: create another. `stop` is not awaited, because for
      // such a worker it never settles in MSW 3.
      void worker.stop();
      worker = createWorker();
      throw error;
    }
  };
  return { start, stop: () => worker.stop() };
}
