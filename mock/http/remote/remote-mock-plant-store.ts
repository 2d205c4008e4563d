import type { NewPlant } from "../../../src/contract/plant.ts";
import type { Fault } from "../../service/faults/fault.ts";
import type { MockSessionOptions, PlantMatch, RecordedRequest } from "../../service/mock-plant-store.ts";

/** The plants of one session of a mock in another process. */
export interface RemoteMockPlants extends AsyncIterable<NewPlant> {
  /** How many plants were created. */
  readonly size: Promise<number>;
  /**
   * The newest plant with this id.
   *
   * @param id - The id as a `number` or a `bigint`.
   */
  get(id: number | bigint): Promise<NewPlant | undefined>;
  /**
   * Whether there is a plant with this id.
   *
   * @param id - The id as a `number` or a `bigint`.
   */
  has(id: number | bigint): Promise<boolean>;
  /**
   * Puts a plant into the store without a request.
   *
   * @param plant - The plant.
   * @throws TypeError when it is no valid NewPlant.
   */
  add(plant: NewPlant): Promise<void>;
}

/** What was sent in one session of a mock in another process, oldest first. */
export interface RemoteMockRequests extends AsyncIterable<RecordedRequest> {
  /** How many requests arrived, those that are no longer kept included. */
  readonly count: Promise<number>;
  /** The newest request. */
  readonly last: Promise<RecordedRequest | undefined>;
  /** Forgets the requests so far. */
  clear(): Promise<void>;
}

/** Holds requests back in another process. */
export interface RemoteGate {
  /**
   * Waits until so many requests stand at the gate.
   *
   * @param count - How many requests, counted from the moment of `hold()`.
   * @throws Error when the gate is released, or a reset ends it, before so many came.
   */
  arrived(count: number): Promise<void>;
  /** Lets every held request go on, and stops no further one. */
  release(): Promise<void>;
}

/** How often a fault is used, and on which requests. A function cannot cross processes. */
export interface RemoteInjectOptions {
  /**
   * How many requests it is for.
   *
   * @defaultValue 1
   */
  times?: number | undefined;
  /**
   * Which requests it is for: fields of the plant.
   *
   * @defaultValue every request
   */
  when?: PlantMatch | undefined;
}

/** What {@link RemoteMockSession.clientOptions} gives: `new PlantStoreClient(session.clientOptions)`. */
export interface RemoteClientOptions {
  /** The address of the service, as seen from here. */
  baseUrl: string;
  /** The token of the session. */
  token: string;
  /** Present if `baseUrl` is plain http beyond this machine, which the client refuses otherwise. */
  allowInsecure?: true;
}

/** One test's own view of a mock in another process: the members of `MockSession`, all asynchronous. */
export interface RemoteMockSession {
  /** The address of the service, without a trailing slash. */
  readonly baseUrl: string;
  /** A bearer token of this session that the service accepts. */
  readonly token: string;
  /** Options of a client that talks to this session. */
  readonly clientOptions: RemoteClientOptions;
  /** The plants of this session. */
  readonly plants: RemoteMockPlants;
  /** What was sent in this session. */
  readonly requests: RemoteMockRequests;
  /**
   * Lets one exchange, or several, go wrong.
   *
   * @param fault - What goes wrong.
   * @param options - How often, and on which requests.
   * @throws TypeError when the fault is not valid, or the HTTP form cannot do it, or `when` is a function.
   */
  inject(fault: Fault, options?: RemoteInjectOptions): Promise<void>;
  /**
   * Stops every later request of this session after its body was read and before it is validated.
   *
   * @returns the gate that knows how many stand there, and lets them go.
   */
  hold(): Promise<RemoteGate>;
  /** Puts plants back to the seed, and empties journal, faults and gates. */
  reset(): Promise<void>;
  /**
   * Complains of what a test should not leave behind.
   *
   * @throws Error with every problem, and how to mend it.
   */
  verify(): Promise<void>;
  /** Resets the session and frees its tokens. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A mock in another process: its root session, and the door to further ones. */
export interface RemoteMockPlantStore extends RemoteMockSession {
  /**
   * Opens a session of its own.
   *
   * @param options - Its tokens.
   * @throws TypeError when a token is empty, malformed, or in use.
   */
  session(options?: MockSessionOptions): Promise<RemoteMockSession>;
  /**
   * The label that stands for a token in the journal.
   *
   * @param token - The bearer token.
   */
  labelOf(token: string): Promise<string>;
  /**
   * Disposes of the sessions opened here, and hangs up. The mock goes on, and its root session is left alone: other
   * processes may use it.
   */
  close(): Promise<void>;
  /** The same as {@link RemoteMockPlantStore.close}. */
  [Symbol.asyncDispose](): Promise<void>;
}
