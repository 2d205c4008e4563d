import type { IncomingMessage, ServerResponse } from "node:http";
import { createMock } from "../create-mock.ts";
import { type PlantStoreService, serviceOf } from "../door.ts";
import type { MockPlantStore, MockPlantStoreOptions } from "../mock-plant-store.ts";
import { deliver } from "./deliver.ts";
import { type Address, type HttpLimits, Listener } from "./listener.ts";
import { readBody } from "./read-body.ts";
import { WireHeaders } from "./wire-headers.ts";

/** Options of the HTTP form: those of the mock, and where it listens. */
export interface StartMockPlantStoreOptions extends Omit<MockPlantStoreOptions, "baseUrl"> {
  /**
   * The port; 0 takes a free one.
   *
   * @defaultValue 0
   */
  port?: number | undefined;
  /**
   * The host name or address to listen on.
   *
   * @defaultValue `"127.0.0.1"`
   */
  host?: string | undefined;
  /**
   * The path in front of `/plants`, e.g. `"/v1"`.
   *
   * @defaultValue none
   */
  basePath?: string | undefined;
  /** What one client may take of the server. */
  limits?: HttpLimits | undefined;
}

/** The mock on a real port. */
export interface HttpMockPlantStore extends Omit<MockPlantStore, typeof Symbol.dispose> {
  /** Where the server listens, without the base path and a trailing slash. */
  readonly url: string;
  /** Closes the server, and ends every session: held and hanging exchanges fail. */
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
 */
export async function startMockPlantStore(options: StartMockPlantStoreOptions = {}): Promise<HttpMockPlantStore> {
  const { port = 0, host = "127.0.0.1", basePath = "", limits = {}, ...mockOptions } = options;
  let service: PlantStoreService | undefined;
  const listener: Listener = new Listener(limits, (request, response) => {
    serve(service as PlantStoreService, listener, request, response);
  });
  const address: Address = { host, port };
  const url = `http://${authority(host)}:${await listener.listen(address)}`;
  let mock: MockPlantStore;
  try {
    mock = createMock({ ...mockOptions, baseUrl: `${url}${basePath}` }, { isInMemory: false });
  } catch (error) {
    await listener.close();
    throw error;
  }
  service = serviceOf(mock);
  const detach = service.attach("http");
  const close = async () => {
    service?.close();
    detach();
    await listener.close();
  };
  return Object.assign(mock, { url, close, [Symbol.asyncDispose]: close });
}

function serve(service: PlantStoreService, listener: Listener, request: IncomingMessage, response: ServerResponse) {
  const headers = new WireHeaders(request.rawHeaders);
  const turn = service.begin(headers.get("authorization"));
  readBody(request, service.maxBodyBytes, (body) => {
    const { method, url } = request as { method: string; url: string };
    const delivery = service.receive({ method, path: url, headers, body }, turn);
    const extra = listener.isClosing ? ["Connection", "close"] : [];
    if (delivery instanceof Promise) delivery.then((late) => deliver(late, response, extra));
    else deliver(delivery, response, extra);
  });
}

/** The host as URLs have it; of every address of the machine, the loopback one. */
function authority(host: string): string {
  if (host === "0.0.0.0" || host === "") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}
