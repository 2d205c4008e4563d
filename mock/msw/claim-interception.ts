import { oneOf, type Rule } from "../../src/checks/rules.ts";
import type { MockPlantStoreOptions } from "../service/mock-options.ts";

/** The key of the mock that intercepts requests: all copies of this package share it. */
const ACTIVE = Symbol.for("plant-store-client.mock.intercepts");

/**
 * Starts to intercept requests for a mock. Two mocks cannot: of two MSW servers, only the last to listen receives requests.
 *
 * @param owner - Identifies the mock, which may start again before it has stopped.
 * @param call - The name of the caller's method, for the message.
 * @param start - Starts, and returns the function that stops.
 * @returns The function that stops.
 * @throws Error if another mock intercepts requests.
 */
export function claimInterception(owner: object, call: string, start: () => () => void): () => void {
  const realm = globalThis as { [ACTIVE]?: { readonly owner: object } | undefined };
  if ((realm[ACTIVE]?.owner ?? owner) !== owner) {
    throw new Error(
      `${call}: another mock already intercepts requests; close it first, ` +
        "or give createHandlers() of both mocks to one MSW server; if hot reload has loaded this module again, " +
        "add to it: import.meta.hot?.dispose(() => store.close())",
    );
  }
  const stop = start();
  const claim = { owner };
  realm[ACTIVE] = claim;
  return () => {
    stop();
    if (realm[ACTIVE] === claim) delete realm[ACTIVE];
  };
}

/** The options of {@link setupMockPlantStore}. */
export interface SetupMockPlantStoreOptions extends MockPlantStoreOptions {
  /**
   * How MSW handles a request outside the base URL.
   *
   * @defaultValue `"warn"` in Node, as in MSW; `"bypass"` in a page, which also loads other files
   */
  onUnhandledRequest?: "bypass" | "warn" | "error" | undefined;
}

/** The rule of the option `onUnhandledRequest`. */
export const reactionRule: Rule = oneOf("bypass", "warn", "error");

/** The option of MSW for requests outside the base URL: MSW 2 reads the first name, MSW 3 the second. */
export function onUnhandled(reaction: NonNullable<SetupMockPlantStoreOptions["onUnhandledRequest"]>) {
  return { onUnhandledRequest: reaction, onUnhandledFrame: reaction };
}
