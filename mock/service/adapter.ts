import { kindOf } from "../../src/checks/describe.ts";
import type { AdapterName } from "./adapter-names.ts";
import type { Delivery } from "./delivery.ts";
import type { LoggedRequest, MockPlantStore } from "./mock-plant-store.ts";

/**
 * How an adapter reaches the service. An adapter uses only this and the public members of a mock, because an ESM mock
 * must work with CommonJS handlers, which are a different copy of this code.
 *
 * An adapter handles a request in four steps:
 *
 * 1. When the headers have arrived, call `const session = service.begin(authorization)` with the raw header value
 *    (several values joined by `", "`). From then on a reset ends the request, even while its body is being read.
 * 2. Read the body. Stop after `service.maxBodyBytes + 1` bytes, which is enough for a 413.
 * 3. Call `const delivery = service.receive(request, session)`. It returns a promise only if a gate or a fault makes the
 *    request wait; test with `"then" in delivery`, because zone.js replaces the global Promise but not that of async
 *    functions, and stay synchronous otherwise. It never throws or rejects.
 * 4. Do what `delivery.how` says. Gates, delays and hangs are over by then.
 */
export interface PlantStoreService {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** The size limit of a request body. */
  readonly maxBodyBytes: number;
  readonly operations: readonly ServedOperation[];
  /**
   * Marks an adapter as in use, so that `inject` rejects faults that it cannot reproduce.
   *
   * @returns A function that marks it as no longer in use.
   * @throws TypeError if the adapter cannot reproduce a fault that is queued in any session.
   */
  attach(adapter: AdapterName): () => void;
  /** The session that a request belongs to, by its Authorization header. */
  begin(authorization: string | null | undefined): RequestSession;
  /** Handles one request. `request.path` is the path and query as sent, including the path of the base URL. */
  receive(request: ServiceRequest, session: RequestSession): Delivery | Promise<Delivery>;
  /** The path and query of a URL under the base URL; `undefined` for any other URL. */
  pathOf(url: string): string | undefined;
  /** Whether an operation has this path, with any method. */
  hasPath(path: string): boolean;
  /** Makes `verify` report a problem and its fix. */
  report(session: RequestSession, problem: string, fix: string): void;
  /**
   * Calls the listener once for each completed or failed request of every session.
   *
   * @returns A function that removes the listener.
   */
  observe(listener: (request: LoggedRequest) => void): () => void;
  /** Ends every session and resets the root session: open requests fail, and tokens become free. */
  close(): void;
}

/** An operation of the service. */
export interface ServedOperation {
  readonly method: string;
  /** Includes the path of the base URL. */
  readonly path: string;
}

/** The session of a request, as it was when the request began. Opaque to an adapter. */
export interface RequestSession {
  /** Whether a reset has ended it since the request began. */
  readonly isOver: boolean;
  /**
   * Calls back when a reset ends it.
   *
   * @returns A function that removes the callback.
   */
  onEnd(callback: () => void): () => void;
}

/** A request as plain data. */
export interface ServiceRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** A native `Headers`, or a cheaper object. The journal keeps it: do not change it afterwards. */
  readonly headers: RequestHeaders;
  /** Text, if the bytes are known to be UTF-8 (with a leading BOM kept); otherwise the bytes. */
  readonly body: string | Uint8Array;
  /** The fix to show if no operation matches, for a request that an option of the adapter would allow. */
  readonly advice?: string | undefined;
  /** Called if a fault withholds all or half of the response until a reset. */
  readonly onHang?: () => void;
  /** Registers a callback for a client that disconnects before the response is complete. Used only if a request waits. */
  readonly onDisconnect?: (callback: () => void) => void;
}

/** Headers as the service reads them: a few lookups, and the whole list only if a test reads the journal. */
export interface RequestHeaders extends Iterable<readonly [name: string, value: string]> {
  /** The value for a lower-case name; several values are joined by `", "`. */
  get(name: string): string | null | undefined;
  /** How many bytes they take in the journal; absent if not counted. */
  readonly size?: number;
}

/** The property under which a mock keeps its {@link PlantStoreService}. */
export const SERVICE: unique symbol = Symbol.for("plant-store-client.mock.service") as never;

/**
 * The service behind a mock.
 *
 * @throws TypeError if the value is not a mock.
 */
export function serviceOf(mock: MockPlantStore): PlantStoreService {
  const service = (mock as Partial<{ [SERVICE]: PlantStoreService }> | undefined)?.[SERVICE];
  if (service === undefined) {
    throw new TypeError(
      "mock: must come from createMockPlantStore() or a setup function of plant-store-client/mock; " +
        `received ${kindOf(mock)}`,
    );
  }
  return service;
}
