import type { MockPlantStore } from "../service/mock-plant-store.ts";
import { DISPOSE } from "../service/sessions/session.ts";
import { openHttpForm } from "./http-form.ts";
import type { StartMockPlantStoreOptions } from "./http-options.ts";

/** The mock on a real port. */
export interface HttpMockPlantStore extends Omit<MockPlantStore, typeof Symbol.dispose> {
  /** Where the server listens, without the base path and a trailing slash. The console is at `/_mock/`. */
  readonly url: string;
  /** Ends the server and every session: replies that are being sent go out, held and hanging exchanges fail. */
  close(): Promise<void>;
  /** The same as {@link HttpMockPlantStore.close}. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts the mock on a real port of this machine.
 *
 * @param options - Where it listens, and what differs from the mock's defaults.
 * @returns the mock; its `baseUrl` is where it really listens.
 * @throws TypeError that names the option which is not valid.
 * @throws Error that says why the address cannot be listened on.
 *
 * @example
 * {@includeCode ../../docs/code/testing/http.ts}
 */
export async function startMockPlantStore(options: StartMockPlantStoreOptions = {}): Promise<HttpMockPlantStore> {
  const { mock, url, close } = await openHttpForm(options);
  let closed: Promise<void> | undefined;
  const closeOnce = () => (closed ??= close());
  // The server outlives a block that ends: only `await using` may end this form.
  Object.defineProperty(mock, DISPOSE, { value: undefined });
  return Object.assign(mock, { url, close: closeOnce, [Symbol.asyncDispose]: closeOnce });
}
