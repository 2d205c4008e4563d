import { readBaseUrl } from "../../src/checks/base-url.ts";
import { createMock } from "../memory/create-mock.ts";
import { type PlantStoreService, serviceOf } from "../service/adapter.ts";
import type { MockPlantStore } from "../service/mock-plant-store.ts";
import { createControl } from "./control/control.ts";
import { CONTROL_OFF, isControlOff } from "./control/guard.ts";
import { authority, resolveHttpOptions, type StartMockPlantStoreOptions } from "./http-options.ts";
import { Listener } from "./listener.ts";
import { type ServerContext, serve, serveConnect } from "./serve.ts";
import { settlesWithin } from "./settles-within.ts";
import { wireHeadersReader } from "./wire-headers.ts";

/** A running mock with its HTTP server. */
export interface HttpAdapter {
  readonly mock: MockPlantStore;
  readonly service: PlantStoreService;
  /** The URL of the server, without the base path and without a trailing slash. */
  readonly url: string;
  /** Why the control API is off, if it is. */
  readonly warning: string | undefined;
  /** Stops accepting connections and completes every accepted request. After 5 s, held and hanging requests fail. */
  drain(): Promise<void>;
  /** Ends every session and every connection. */
  close(): Promise<void>;
}

/**
 * Starts a mock with its HTTP server.
 *
 * @throws TypeError that names the invalid option.
 * @throws Error that explains why the server cannot listen there, and what to do.
 */
export async function openHttpAdapter(options: StartMockPlantStoreOptions): Promise<HttpAdapter> {
  const { host, port, basePath, cors, guard, limits, mock: mockOptions } = resolveHttpOptions(options);
  let context: ServerContext | undefined;
  const listener = new Listener(
    limits,
    (request, response) => serve(context as ServerContext, request, response),
    (request, socket) => serveConnect(context as ServerContext, request, socket),
  );
  const url = `http://${authority(host)}:${await listener.listen({ host, port })}`;
  const mock = createMock({ ...mockOptions, baseUrl: readBaseUrl(`${url}${basePath}`).baseUrl as string });
  const service = serviceOf(mock);
  const control = createControl(mock, guard);
  context = {
    service,
    control,
    cors,
    readHeaders: wireHeadersReader(),
    onBegin: (session) => listener.begin(session),
    markHanging: (response) => listener.markHanging(response),
  };
  service.attach("http");
  const close = () => {
    control.endStreams();
    service.close();
    return listener.close();
  };
  const drain = async () => {
    control.endStreams();
    await settlesWithin(listener.drain(GRACE_MS), DRAIN_MS);
    await close();
  };
  const warning = isControlOff(guard) ? CONTROL_OFF : undefined;
  return { mock, service, url, warning, close, drain };
}

const GRACE_MS = 250;
const DRAIN_MS = 5_000;
