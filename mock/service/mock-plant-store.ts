import type { NewPlant } from "../../src/contract/plant.ts";
import type { AssumptionName } from "./assumptions.ts";
import type { Fault } from "./faults/fault.ts";
import type { Provenance, Reply } from "./reply.ts";

/** The shape of `fetch` that the client calls. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** One exchange, recorded when the request arrived; what comes after `plant` is there once it was answered. */
export interface RecordedRequest {
  /** When it arrived, in milliseconds since 1970. */
  readonly at: number;
  /** The request method, e.g. `POST`. */
  readonly method: string;
  /** Path and query as they were sent, the path of the base URL included. */
  readonly path: string;
  /**
   * Whether headers, body, plant and reply were dropped, because the journal held more than
   * `journalLimitBytes`.
   */
  readonly isDropped?: true;
  /** Headers by lower-case name. `authorization` has a label in place of the token. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text, its first 16,384 characters. */
  readonly bodyText: string;
  /** The label of the bearer token, e.g. `token#1`; {@link MockPlantStore.labelOf} gives that of a token. */
  readonly token?: string;
  /** The plant in the body, where there is one: the id is a `number` when that is exact, else a `bigint`. */
  readonly plant?: NewPlant;
  /** The fault that was used on it. */
  readonly fault?: Fault;
  /** Status of the reply. */
  readonly status?: number;
  /** The reply, as it was sent or would have been. */
  readonly reply?: Reply;
  /** Where the reply comes from. */
  readonly provenance?: Provenance;
  /** The assumption that the reply leans on, where its provenance is `assumed`. */
  readonly assumption?: AssumptionName;
  /** Time from arrival to reply, in milliseconds. */
  readonly durationMs?: number;
}

/** A request as a log shows it. */
export type LoggedRequest = Pick<
  RecordedRequest,
  "at" | "method" | "path" | "token" | "plant" | "fault" | "status" | "provenance" | "assumption" | "durationMs"
> & {
  /** Why the service refused it: the `message` of the response. */
  readonly reason?: string;
};

/** Which requests a fault is for: those whose plant has all of these fields. */
export interface PlantMatch {
  /** The id, a `number` or a `bigint`: both are compared by value. */
  id?: number | bigint | undefined;
  /** The name. */
  name?: string | undefined;
  /** The tag. */
  tag?: string | undefined;
}

/** How often a fault is used, and on which requests. */
export interface InjectOptions {
  /**
   * How many requests it is for.
   *
   * @defaultValue 1
   */
  times?: number | undefined;
  /**
   * Which requests it is for: fields of the plant, or a function that looks at the request.
   *
   * @defaultValue every request
   */
  when?: PlantMatch | ((request: RecordedRequest) => boolean) | undefined;
}

/** Holds requests back until a test lets them go. */
export interface Gate {
  /**
   * Waits until so many requests stand at the gate.
   *
   * @param count - How many requests, counted from the moment of `hold()`.
   * @returns a promise that rejects when a reset ends the gate first.
   */
  arrived(count: number): Promise<void>;
  /** Lets every held request go on, and stops no further one. */
  release(): void;
}

/** The plants of one session, in the order of their creation. */
export interface MockPlants extends Iterable<NewPlant> {
  /** How many plants were created; a duplicate id counts each time. */
  readonly size: number;
  /**
   * The newest plant with this id.
   *
   * @param id - The id as a `number` or a `bigint`, compared by value.
   * @returns a copy of the plant, or `undefined`.
   */
  get(id: number | bigint): NewPlant | undefined;
  /**
   * Whether there is a plant with this id.
   *
   * @param id - The id as a `number` or a `bigint`, compared by value.
   */
  has(id: number | bigint): boolean;
  /**
   * Puts a plant into the store without a request. Duplicate ids are always taken.
   *
   * @param plant - The plant.
   * @throws TypeError when it is no valid NewPlant.
   */
  add(plant: NewPlant): void;
}

/** What was sent in one session, oldest first; the newest 1000 are kept. */
export interface MockRequests extends Iterable<RecordedRequest> {
  /** How many requests arrived, those that are no longer kept included. */
  readonly count: number;
  /** The newest request. */
  readonly last: RecordedRequest | undefined;
  /** Forgets the requests so far. What {@link MockSession.verify} complains of stays. */
  clear(): void;
}

/** What {@link MockSession.clientOptions} gives: `new PlantStoreClient(session.clientOptions)`. */
export interface MockClientOptions {
  /** The base URL of the mock. */
  baseUrl: string;
  /** The token of the session. */
  token: string;
  /** The in-memory `fetch`; absent where the requests are intercepted, or go over HTTP. */
  fetch?: Fetch;
  /** Present if `baseUrl` is plain http beyond this machine, which the client refuses otherwise. */
  allowInsecure?: true;
}

/** One test's own view of the service, keyed by its bearer token. */
export interface MockSession {
  /** The address of the service, without a trailing slash. */
  readonly baseUrl: string;
  /** A bearer token of this session that the service accepts. */
  readonly token: string;
  /** The service in memory, as a `fetch`. It routes by the token of the request, as every form does. */
  readonly fetch: Fetch;
  /** Options of a client that talks to this session. */
  readonly clientOptions: MockClientOptions;
  /** The plants of this session. */
  readonly plants: MockPlants;
  /** What was sent in this session. */
  readonly requests: MockRequests;
  /**
   * Lets one exchange, or several, go wrong. The first fault that matches, in the order injected, is used.
   *
   * @param fault - What goes wrong.
   * @param options - How often, and on which requests.
   * @throws TypeError when the fault is no valid fault, or a form of the mock that is in use cannot do it.
   */
  inject(fault: Fault, options?: InjectOptions): void;
  /**
   * Stops every later request of this session after its body was read and before it is validated.
   *
   * @returns the gate that knows how many stand there, and lets them go.
   */
  hold(): Gate;
  /**
   * Puts plants back to the seed, and empties journal, faults and gates. Held and hanging exchanges fail as network
   * errors; what began earlier is neither stored nor recorded afterwards.
   */
  reset(): void;
  /**
   * Complains of what a test should not leave behind: unused faults, held requests, unmatched requests and, with
   * `strict`, assumptions leaned on.
   *
   * @throws Error with every problem, and how to fix it.
   */
  verify(): void;
  /** Resets the session and frees its tokens. */
  [Symbol.dispose](): void;
}

/** Options of one session. */
export interface MockSessionOptions {
  /**
   * The bearer tokens of the session, always valid; several serve token rotation.
   *
   * @defaultValue one random token
   */
  tokens?: readonly string[] | undefined;
}

/** The whole service in memory: the root session, which opens further ones. */
export interface MockPlantStore extends MockSession {
  /**
   * The service as a function of a request.
   *
   * @param request - A request to a URL under the base URL.
   * @returns the reply.
   * @throws TypeError as `fetch` does on a network fault, and for a URL outside the base URL.
   */
  handle(request: Request): Promise<Response>;
  /**
   * Opens a session of its own: requests with one of its tokens see its plants, faults and gates only.
   *
   * @param options - Its tokens.
   * @throws TypeError when a token is empty, malformed, or in use.
   */
  session(options?: MockSessionOptions): MockSession;
  /**
   * The label that stands for a token in the journal.
   *
   * @param token - The bearer token.
   * @returns e.g. `token#1`.
   */
  labelOf(token: string): string;
}
