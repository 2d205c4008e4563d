import { type SetupWorker, setupWorker } from "msw/browser";
import type { PlantStoreService } from "../service/adapter.ts";
import { handlersOf } from "./handlers.ts";
import { intercept } from "./intercept.ts";
import { checkScope, unregistered } from "./worker-scope.ts";

/** Passes the requests of a page to the service, through MSW's service worker, between `start` and `stop`. */
export class WorkerInterception {
  readonly #service: PlantStoreService;
  readonly #options: Parameters<SetupWorker["start"]>[0];
  #worker: SetupWorker;
  /** Resolves to the function that stops. */
  #started: Promise<() => Promise<void>> | undefined;

  constructor(service: PlantStoreService, options: Parameters<SetupWorker["start"]>[0]) {
    this.#service = service;
    this.#options = options;
    this.#worker = this.#createWorker();
  }

  /** Further calls have no effect. */
  async start(): Promise<void> {
    this.#started ??= this.#begin(intercept(this, "mock.start()", () => this.#service.attach("browser")));
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
    return setupWorker(...handlersOf(this.#service, accepts));
  }
}
