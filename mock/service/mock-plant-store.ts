import type { NewPlant, ValidNewPlant } from "../../src/contract/plant.ts";
import type { VirtualClock } from "../time/virtual-clock.ts";
import type { Fault } from "./faults/fault-table.ts";
import type { AssumptionName, Provenance } from "./service-reply.ts";
import type { Reply } from "./wire-reply.ts";

/** The `fetch` function that the client calls. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** A request as it is recorded so far: its response and `durationMs` are present once it is over. */
export interface RecordedRequest {
  /** Its position among the requests of its session, from 1 since those were cleared. */
  readonly number: number;
  /** When it arrived, in milliseconds since the epoch. */
  readonly at: number;
  /** The request method, e.g. `POST`. */
  readonly method: string;
  /** The path and query as sent, including the path of the base URL. */
  readonly path: string;
  /** Headers by lower-case name. `authorization` holds a label in place of the token. */
  readonly headers: Readonly<Record<string, string>>;
  /** The first 16,384 characters of the body, decoded as UTF-8. */
  readonly bodyText: string;
  /** The label of the bearer token, e.g. `token#1`; see {@link MockPlantStore.labelOf}. */
  readonly token?: string;
  /**
   * The plant in the body, if the body is a valid NewPlant. The id is a `bigint` if a `number` would round it. Absent if
   * the request is over and its body has more than 16,384 characters.
   */
  readonly plant?: ValidNewPlant;
  /** The fault that affected it, with the first 1,000 characters of its texts, and without other long values. */
  readonly fault?: Fault;
  /** The response status. */
  readonly status?: number;
  /** The response, as it was sent or would have been sent. Of a long body, only the first 16,384 characters. */
  readonly reply?: Reply;
  /** The origin of the response: `declared` by the contract, `assumed` by the mock, or `injected` by the test. */
  readonly provenance?: Provenance;
  /** The assumption that the response relies on, if its provenance is `assumed`. */
  readonly assumption?: AssumptionName;
  /** Time from arrival to response, in milliseconds; 0 if nothing made the request wait. */
  readonly durationMs?: number;
}

/**
 * The fields that the plant in a request must have, for a fault to affect it. A `number` and a `bigint` are compared by
 * value.
 */
export type PlantMatch = { [Name in keyof ValidNewPlant]?: ValidNewPlant[Name] | undefined };

/** How many requests a fault affects, and which. */
export interface InjectOptions {
  /**
   * How many requests it affects: a positive integer, or `Infinity`.
   *
   * @defaultValue 1; `Infinity` with a `probability`
   */
  times?: number | undefined;
  /**
   * The chance that it affects a request that matches, above 0 and at most 1, e.g. 0.02. In virtual time the same requests
   * are affected in each run. `verify` does not report such a fault as unused.
   *
   * @defaultValue 1
   */
  probability?: number | undefined;
  /**
   * Which requests it affects: those whose plant has these fields, or for which a function returns `true`. If the
   * function throws, the request is not affected, and `verify` fails.
   *
   * @defaultValue every request
   */
  when?: PlantMatch | ((request: RecordedRequest) => boolean) | undefined;
}

/** Holds requests until a test releases them. */
export interface Gate {
  /**
   * Waits until `count` requests have arrived at the gate.
   *
   * @param count - How many requests, counted from the call of `hold()`.
   * @returns A promise that rejects if the gate is released or the session is reset first.
   * @throws TypeError if the count is not a positive integer.
   */
  arrived(count: number): Promise<void>;
  /** Lets the held requests continue, and holds no more. */
  release(): void;
}

/** The plants of one session, in the order of their creation. */
export interface MockPlants extends Iterable<ValidNewPlant> {
  /** How many plants were created. A duplicate id counts each time. */
  readonly size: number;
  /**
   * The newest plant with this id.
   *
   * @param id - The id as a `number` or a `bigint`, compared by value.
   * @returns A copy of the plant, or `undefined`.
   * @throws TypeError if the id is not an int64.
   */
  get(id: number | bigint): ValidNewPlant | undefined;
  /**
   * Whether there is a plant with this id.
   *
   * @param id - The id as a `number` or a `bigint`, compared by value.
   * @throws TypeError if the id is not an int64.
   */
  has(id: number | bigint): boolean;
  /**
   * Stores a plant without a request. A duplicate id is accepted.
   *
   * @param plant - The plant.
   * @throws TypeError if it is not a valid NewPlant.
   * @throws Error if the session was disposed.
   */
  add(plant: NewPlant): void;
}

/** The requests of one session, oldest first. The newest 1000 are kept; see `maxRecordedRequests`. */
export interface MockRequests extends Iterable<RecordedRequest> {
  /** How many requests arrived, including those that are no longer kept. */
  readonly count: number;
  /** The newest request; `undefined` if none is kept. */
  readonly last: RecordedRequest | undefined;
  /** Forgets the requests so far. {@link MockSession.verify} still reports their problems. */
  clear(): void;
}

/** The value of {@link MockSession.clientOptions}, for `new PlantStoreClient(session.clientOptions)`. */
export interface MockClientOptions {
  /** The base URL of the mock. */
  baseUrl: string;
  /** The token of the session. */
  token: string;
  /** The in-memory `fetch`; absent if requests are intercepted or sent over HTTP. */
  fetch?: Fetch;
  /** The clock of the mock, if its time is virtual. */
  clock?: VirtualClock;
  /** No jitter, unless the time is virtual: a retry waits for `Retry-After`, and no longer. */
  backoff?: {
    /** The longest random wait before the first retry, in milliseconds: none. */
    initialMs: number;
  };
  /** Present if `baseUrl` is an http URL beyond this machine, which the client otherwise rejects. */
  allowInsecure?: true;
}

/** One test's own view of the service. Requests are matched to a session by bearer token. */
export interface MockSession {
  /** The address of the service, without a trailing slash. */
  readonly baseUrl: string;
  /** A bearer token of this session. It is valid, unless `auth.tokens` is `[]`, or a function, and this the root session. */
  readonly token: string;
  /** The service in memory, as a `fetch`. It matches requests to sessions by bearer token, as every adapter does. */
  readonly fetch: Fetch;
  /** Options for a client of this session: `new PlantStoreClient(session.clientOptions)`. */
  readonly clientOptions: MockClientOptions;
  /** The plants of this session. */
  readonly plants: MockPlants;
  /** The requests of this session. */
  readonly requests: MockRequests;
  /**
   * Makes one or more requests fail. Each request uses the first fault that matches it, in the order injected.
   *
   * @param fault - How the requests fail.
   * @param options - How many requests, and which.
   * @throws TypeError if the fault or an option is invalid, or if only the in-memory mock can reproduce the fault.
   * @throws Error if the session was disposed.
   */
  inject(fault: Fault, options?: InjectOptions): void;
  /**
   * Holds every later request of this session, after its body is read and before it is validated.
   *
   * @returns The gate, which counts and releases the held requests.
   * @throws Error if the session was disposed.
   */
  hold(): Gate;
  /**
   * Resets the session: restores the initial plants, and removes requests, faults and gates. Requests that are still open
   * fail with a network error, and leave neither a plant nor a record.
   */
  reset(): void;
  /**
   * Fails if the test left anything behind: faults that were not used up, gates that held no request, requests that are
   * still held at a gate, unmatched requests and, with `strict`, responses that relied on an assumption.
   *
   * @throws Error that lists every problem with its fix.
   */
  verify(): void;
  /** Resets the session and frees its tokens. */
  close(): void;
  /** The same as {@link MockSession.close}. */
  [Symbol.dispose](): void;
}

/** A mock whose time is virtual. */
export interface VirtualMockPlantStore extends MockPlantStore {
  /** The clock of the mock, of its sessions, and of the clients that have its `clientOptions`. */
  readonly clock: VirtualClock;
}

/** The whole service in memory: the root session, which opens other sessions. */
export interface MockPlantStore extends MockSession {
  /** Ends every session, and resets the root session, which stays open. */
  close(): void;
  /**
   * The service as a function of a request, for a server that passes its requests on.
   *
   * @param request - A request to a URL under the base URL.
   * @returns The response; a redirect is not followed.
   * @throws TypeError if a fault breaks the connection, as `fetch` does, or if the URL is outside the base URL.
   */
  handle(request: Request): Promise<Response>;
  /**
   * Opens a session. Requests with one of its tokens see only its plants, faults and gates.
   *
   * @param options - Its bearer tokens, all valid; by default one random token. Use several to test token rotation.
   * @returns The session.
   * @throws TypeError if `tokens` is empty, or a token is empty, malformed or in use.
   */
  session(options?: { tokens?: readonly string[] | undefined }): MockSession;
  /**
   * The label that replaces a token in recorded requests.
   *
   * @param token - The bearer token.
   * @returns The label, e.g. `token#1` for the first token of the mock. It is the same as long as the mock lives. After
   * 10,000 different tokens, further ones share the label `token#other`.
   */
  labelOf(token: string): string;
}
