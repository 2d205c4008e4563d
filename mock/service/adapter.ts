import type { AdapterName, Delivery } from "./delivery.ts";
import type { LoggedRequest, MockPlantStore } from "./mock-plant-store.ts";

/**
 * How an adapter reaches the service. An adapter uses nothing else of a mock except its public members, because an ESM
 * mock must work with CommonJS handlers: the two are different copies of this code.
 *
 * The life of one request in an adapter:
 *
 * 1. As soon as the headers are there: `const session = service.begin(authorization)`, where `authorization` is the raw
 *    header value, several joined by `", "`. It names the session, and marks the moment: a reset that comes while the
 *    body is still being read ends the request.
 * 2. Read the body; stop at `service.maxBodyBytes + 1` bytes, that is enough for a 413.
 * 3. `const delivery = service.receive(request, session)`. It returns a value at once, and a promise only if a gate or a
 *    fault makes it wait: look with `instanceof Promise` and stay synchronous otherwise. It never throws or rejects.
 * 4. Do what `delivery.how` says. Gates, delays and hanging are over by then.
 */
export interface PlantStoreService {
  /** The address without a trailing slash. */
  readonly baseUrl: string;
  /** The largest body, in bytes. */
  readonly maxBodyBytes: number;
  /** Every operation. */
  readonly operations: readonly ServedOperation[];
  /**
   * Marks an adapter as in use, so that `inject` refuses faults that it cannot do.
   *
   * @returns a function that marks it as no longer in use.
   * @throws TypeError if a fault that is queued in any session cannot be done there.
   */
  attach(adapter: AdapterName): () => void;
  /** The session that a request belongs to, by its Authorization header. */
  begin(authorization: string | null | undefined): RequestSession;
  /** Answers one request. `path` is the whole path with its query, as sent; the path of the base URL is part of it. */
  receive(request: ServiceRequest, session: RequestSession): Delivery | Promise<Delivery>;
  /** The path and query of a URL under the base URL; `undefined` for one outside. */
  pathOf(url: string): string | undefined;
  /** Whether an operation has this path, with any method. */
  hasPath(path: string): boolean;
  /** Tells `verify` of the session of a request that it went to a URL outside the base URL. */
  complainOfOutside(method: string, url: string, session: RequestSession): void;
  /** Tells `verify` of the session of a request of another problem, and how to fix it. */
  complain(session: RequestSession, problem: string, fix: string): void;
  /** Calls the listener once for each request that was answered or failed, of every session. */
  observe(listener: (request: LoggedRequest) => void): () => void;
  /** Ends every session: held exchanges fail, tokens are free again; the root is reset. */
  close(): void;
}

/** An operation of the service. */
export interface ServedOperation {
  readonly method: string;
  /** The path of the base URL is part of it. */
  readonly path: string;
}

/** Opaque to an adapter: the session of a request, as it was when the request began. */
export interface RequestSession {
  /** Whether a reset came in between. */
  readonly isOver: boolean;
}

/** A request in plain data. */
export interface ServiceRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** A native `Headers`, or anything cheaper. It is kept for the journal: do not change it afterwards. */
  readonly headers: RequestHeaders;
  /** Text, if the adapter has it or knows the bytes to be UTF-8 (a leading BOM must stay); else the bytes. */
  readonly body: string | Uint8Array;
  /** Called if a fault leaves the request without a complete reply until a reset. */
  readonly onHang?: () => void;
  /** Calls back when the client disconnects before it has the complete reply. Asked only if the request has to wait. */
  readonly onDisconnect?: (callback: () => void) => void;
}

/** Headers as the service looks at them: few lookups, and the whole list only if a test reads the journal. */
export interface RequestHeaders extends Iterable<readonly [name: string, value: string]> {
  /** The value by lower-case name, several joined by `", "`. */
  get(name: string): string | null | undefined;
  /** How many bytes they take in the journal; absent if nobody counts. */
  readonly size?: number;
}

/** Where a mock keeps its {@link PlantStoreService}. */
export const SERVICE: unique symbol = Symbol.for("plant-store-client.mock.service") as never;

/**
 * The service behind a mock.
 *
 * @throws TypeError if the value is not a mock.
 */
export function serviceOf(mock: MockPlantStore): PlantStoreService {
  const service = (mock as Partial<{ [SERVICE]: PlantStoreService }> | undefined)?.[SERVICE];
  if (service === undefined) {
    throw new TypeError("mock: must come from createMockPlantStore() or a setup function of plant-store-client/mock");
  }
  return service;
}
