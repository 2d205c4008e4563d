import { normalizeBaseUrl } from "../../src/checks/http/base-url.ts";
import { createMock } from "../memory/create-mock.ts";
import type { MockPlantStore } from "../service/mock-plant-store.ts";
import { DISPOSE } from "../time/runtime.ts";
import { createControl } from "./control/control.ts";
import { checkAccess, whyOff } from "./control/guard.ts";
import { authority, resolveHttpOptions, type StartMockPlantStoreOptions } from "./http-options.ts";
import { Listener } from "./listener.ts";
import { headersReader } from "./receive-request.ts";
import { serve } from "./serve.ts";

/** The mock as an HTTP server. */
export interface HttpMockPlantStore extends Omit<MockPlantStore, "close" | typeof Symbol.dispose> {
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
  const { mock, url, close } = await openServer(options);
  let closed: Promise<void> | undefined;
  const closeOnce = () => (closed ??= close());
  // Closing is asynchronous: only `await using` may dispose this mock.
  return Object.assign(mock, { url, close: closeOnce, [DISPOSE]: undefined, [Symbol.asyncDispose]: closeOnce });
}

/** A running mock with its server. */
export type OpenServer = Awaited<ReturnType<typeof openServer>>;

/**
 * Starts a mock with its server.
 *
 * @throws TypeError that names the invalid option.
 * @throws Error that explains why the server cannot listen there, and what to do.
 */
export async function openServer(options: StartMockPlantStoreOptions) {
  const { host, port, basePath, cors, controlToken, mock: mockOptions } = resolveHttpOptions(options);
  const listener = new Listener();
  const url = `http://${authority(host)}:${await listener.listen(host, port)}`;
  const baseUrl = normalizeBaseUrl(`${url}${basePath}`);
  const { mock, service } = createMock({ ...mockOptions, baseUrl });
  const context = {
    service,
    control: createControl(mock, service, (headers) => checkAccess(headers, host, controlToken)),
    cors,
    listener,
    readHeaders: headersReader(),
  };
  listener.accept(
    (request, response) => serve(context, request, response),
    (status, reason) => service.noteRefused(status, reason),
  );
  /** Ends every session and every connection. */
  const close = () => {
    service.close();
    return listener.close(CLOSE_MS);
  };
  /** Stops accepting connections and completes every accepted request. After 5 s, held and hanging requests fail. */
  const drain = async () => {
    const timer = setTimeout(close, DRAIN_MS);
    await listener.close(DRAIN_MS + CLOSE_MS);
    clearTimeout(timer);
  };
  return { mock, service, url, warning: whyOff(host, controlToken), close, drain };
}

const CLOSE_MS = 250;
const DRAIN_MS = 5_000;
