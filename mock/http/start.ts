import type { MockPlantStore } from "../service/mock-plant-store.ts";
import { DISPOSE } from "../service/sessions/session.ts";
import { openHttpAdapter } from "./http-adapter.ts";
import type { StartMockPlantStoreOptions } from "./http-options.ts";

/** The mock as an HTTP server. */
export interface HttpMockPlantStore extends Omit<MockPlantStore, typeof Symbol.dispose> {
  /** The URL of the server, without the base path and without a trailing slash. The console is at `/_mock/`. */
  readonly url: string;
  /** Stops the server and ends every session. Responses in progress get 250 ms; held and hanging requests fail. */
  close(): Promise<void>;
  /** The same as {@link HttpMockPlantStore.close}. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts the mock as an HTTP server.
 *
 * @param options - Where to listen, and every other option that differs from its default.
 * @returns The mock; its `baseUrl` contains the actual port.
 * @throws TypeError that names the invalid option.
 * @throws Error that explains why it cannot listen there, and what to do.
 *
 * @example
 * {@includeCode ../../docs/code/testing/http.ts}
 */
export async function startMockPlantStore(options: StartMockPlantStoreOptions = {}): Promise<HttpMockPlantStore> {
  const { mock, url, close } = await openHttpAdapter(options);
  let closed: Promise<void> | undefined;
  const closeOnce = () => (closed ??= close());
  // Closing is asynchronous: only `await using` may dispose this mock.
  return Object.assign(mock, { url, close: closeOnce, [DISPOSE]: undefined, [Symbol.asyncDispose]: closeOnce });
}
