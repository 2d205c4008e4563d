import { type SetupWorker, setupWorker } from "msw/browser";
import type { MockPlantStore } from "../service/mock-plant-store.ts";
import type { Service } from "../service/service.ts";
import { handlersOf } from "./handlers.ts";
import { intercept } from "./intercept.ts";

/** Passes the requests of a page to a mock, through MSW's service worker, between `start` and `stop`. */
export class WorkerInterception {
  readonly #mock: MockPlantStore;
  readonly #service: Service;
  readonly #options: Parameters<SetupWorker["start"]>[0];
  #worker: SetupWorker;
  /** Resolves to the function that stops. */
  #started: Promise<() => Promise<void>> | undefined;

  constructor(mock: MockPlantStore, service: Service, options: Parameters<SetupWorker["start"]>[0]) {
    this.#mock = mock;
    this.#service = service;
    this.#options = options;
    this.#worker = this.#createWorker();
  }

  /** Further calls have no effect. */
  async start(): Promise<void> {
    this.#started ??= this.#begin(intercept(this, "mock.start()", () => () => {}));
    await this.#started;
  }

  /** Ends every session too. Once it resolves, a mock of this page can start. */
  async stop(): Promise<void> {
    this.#service.close();
    const running = this.#started;
    if (running === undefined) return;
    this.#started = undefined;
    const stop = await running;
    await stop();
  }

  async #begin(end: () => void): Promise<() => Promise<void>> {
    try {
      const registration = await this.#worker.start(this.#options);
      checkScope(registration);
      return async () => {
        await this.#worker.stop();
        await unregistered(registration);
        end();
      };
    } catch (error) {
      // After a failed start, MSW 2 considers the worker started: create another. `stop` is not awaited, because for
      // such a worker it never settles in MSW 3.
      end();
      this.#started = undefined;
      void this.#worker.stop();
      this.#worker = this.#createWorker();
      throw error;
    }
  }

  #createWorker(): SetupWorker {
    // If the base URL is the page's own origin, the mock handles only the paths of operations.
    const isPage = this.#service.baseUrl === globalThis.location?.origin;
    // A request may still arrive while the worker is being stopped.
    const accepts = (path: string) => this.#started !== undefined && (!isPage || this.#service.hasPath(path));
    return setupWorker(...handlersOf(this.#mock, accepts));
  }
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
