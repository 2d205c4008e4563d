import { setupServer } from "msw/node";
import { checkGlobals, createMock } from "../memory/create-mock.ts";
import type { MockPlantStore } from "../service/mock-plant-store.ts";
import { resolveOptions } from "../service/resolve-options.ts";
import { claimInterception, onUnhandled, reactionRule, type SetupMockPlantStoreOptions } from "./claim-interception.ts";
import { handlersOf } from "./handlers.ts";

/** A mock whose requests MSW intercepts. Disposing it closes it. */
export interface InterceptingMockPlantStore extends MockPlantStore {
  /**
   * Starts the interception; further calls have no effect. If you already use `setupServer`, give it
   * `createHandlers(mock)` instead: of two MSW servers, only the last one to listen receives requests.
   *
   * @throws Error if another mock listens, or MSW 3 does not support this version of Node.
   */
  listen(): void;
  /** Ends the interception and every session, and resets the root session. The mock can listen again. */
  close(): void;
}

/**
 * Creates a mock that intercepts requests in Node through MSW.
 *
 * @param options - Options that differ from the defaults.
 * @returns The mock, not yet listening.
 * @throws TypeError that names the invalid option.
 *
 * @example
 * {@includeCode ../../docs/code/testing/node.ts}
 */
export function setupMockPlantStore(options: SetupMockPlantStoreOptions = {}): InterceptingMockPlantStore {
  checkGlobals();
  const { mock, service } = createMock(resolveOptions(options, { onUnhandledRequest: reactionRule }));
  const server = setupServer(...handlersOf(mock));
  const listenOptions = onUnhandled(options.onUnhandledRequest ?? "warn");
  let end: (() => void) | undefined;

  const listen = () => {
    if (end !== undefined) return;
    checkRuntime("readyState" in server);
    end = claimInterception(mock, "mock.listen()", () => {
      server.listen(listenOptions);
      return () => server.close();
    });
  };
  const close = () => {
    service.close();
    end?.();
    end = undefined;
  };
  return Object.assign(mock, { listen, close });
}

/** Refuses Node 20 with MSW 3, which would start there but fail every request. */
function checkRuntime(isMsw3: boolean): void {
  if (!isMsw3 || "withResolvers" in Promise) return;
  throw new Error("mock.listen(): MSW 3 needs Node 22.12 or later; update Node, or install msw@2.15");
}
