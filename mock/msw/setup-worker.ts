import { type SetupWorker, setupWorker } from "msw/browser";
import { string } from "../../src/checks/rules.ts";
import { checkGlobals, createMock } from "../memory/create-mock.ts";
import type { MockPlantStore } from "../service/mock-plant-store.ts";
import { resolveOptions } from "../service/resolve-options.ts";
import type { Service } from "../service/service.ts";
import { DISPOSE } from "../time/runtime.ts";
import { claimInterception, onUnhandled, reactionRule, type SetupMockPlantStoreOptions } from "./claim-interception.ts";
import { handlersOf } from "./handlers.ts";

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
  const { start, stop } = interceptPage(mock, service, {
    serviceWorker: { url: options.workerUrl ?? "/mockServiceWorker.js" },
    quiet: true,
    ...onUnhandled(options.onUnhandledRequest ?? "bypass"),
  });
  const asyncDispose: typeof Symbol.asyncDispose = Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose");
  return Object.assign(mock, { start, stop, close: stop, [DISPOSE]: undefined, [asyncDispose]: stop });
}

/** Passes the requests of a page to a mock, through MSW's service worker, between `start` and `stop`. */
function interceptPage(mock: MockPlantStore, service: Service, options: Parameters<SetupWorker["start"]>[0]) {
  /** Resolves to the function that ends the interception. */
  let started: Promise<() => Promise<void>> | undefined;
  // If the base URL is the page's own origin, the mock handles only the paths of operations.
  const isPage = service.baseUrl === globalThis.location?.origin;
  // A request may still arrive while the worker is being stopped.
  const accepts = (path: string) => started !== undefined && (!isPage || service.router.hasPath(path));
  const createWorker = () => setupWorker(...handlersOf(mock, accepts));
  let worker = createWorker();

  async function startWorker(release: () => void): Promise<() => Promise<void>> {
    try {
      const registration = await worker.start(options);
      checkScope(registration);
      return async () => {
        await worker.stop();
        await unregistered(registration);
        release();
      };
    } catch (error) {
      // After a failed start, MSW 2 considers the worker started: create another. `stop` is not awaited, because for
      // such a worker it never settles in MSW 3.
      release();
      started = undefined;
      void worker.stop();
      worker = createWorker();
      throw error;
    }
  }

  return {
    async start(): Promise<void> {
      started ??= startWorker(claimInterception(mock, "mock.start()", () => () => {}));
      await started;
    },
    async stop(): Promise<void> {
      service.close();
      const running = started;
      started = undefined;
      const end = await running;
      await end?.();
    },
  };
}

/** MSW only warns if the worker cannot intercept the requests of the page: they would reach the real service. */
export function checkScope(
  registration: Pick<ServiceWorkerRegistration, "scope"> | undefined,
  { location, navigator }: Partial<typeof globalThis> = globalThis,
): void {
  // With history.pushState, a page that has a controller may have another URL.
  if (!registration || !location || navigator?.serviceWorker.controller) return;
  if (location.href.startsWith(registration.scope)) return;
  throw new Error(
    `mock.start(): the worker script in ${registration.scope} intercepts no requests of ${location.href}; put it in a folder above that page`,
  );
}

/**
 * Waits until MSW's worker has unregistered itself. A mock that started before would get the registration that is about
 * to go, and might wait for its worker without end.
 *
 * @param registration - None if MSW works without a service worker.
 */
export async function unregistered(
  registration: Pick<ServiceWorkerRegistration, "scope"> | undefined,
  { navigator }: Pick<typeof globalThis, "navigator"> = globalThis,
): Promise<void> {
  if (!registration) return;
  // No event reports it, and timers may be fake. It takes about 10 looks; with another page, the worker stays registered.
  for (let look = 0; look < 200; look++) {
    const registrations = await navigator.serviceWorker.getRegistrations();
    if (!registrations.some(({ scope }) => scope === registration.scope)) return;
  }
}
