import type { NewPlant, ValidNewPlant } from "../../../src/contract/plant.ts";
import type { Fault } from "../../service/faults/fault-table.ts";
import type {
  InjectOptions,
  MockClientOptions,
  MockSession,
  MockSessionOptions,
  PlantMatch,
  RecordedRequest,
} from "../../service/mock-plant-store.ts";

/** The plants of one session of a mock in another process. */
export interface RemoteMockPlants extends AsyncIterable<ValidNewPlant> {
  /** How many plants were created. A duplicate id counts each time. */
  readonly size: Promise<number>;
  /**
   * The newest plant with this id.
   *
   * @param id - The id as a `number` or a `bigint`.
   */
  get(id: number | bigint): Promise<ValidNewPlant | undefined>;
  /**
   * Whether there is a plant with this id.
   *
   * @param id - The id as a `number` or a `bigint`.
   */
  has(id: number | bigint): Promise<boolean>;
  /**
   * Stores a plant without a request. A duplicate id is accepted.
   *
   * @param plant - The plant.
   * @throws TypeError if it is not a valid NewPlant.
   */
  add(plant: NewPlant): Promise<void>;
}

/** The requests of one session of a mock in another process, oldest first. */
export interface RemoteMockRequests extends AsyncIterable<RecordedRequest> {
  /** How many requests arrived, including those that are no longer kept. */
  readonly count: Promise<number>;
  /** The newest request. */
  readonly last: Promise<RecordedRequest | undefined>;
  /** Forgets the requests so far. */
  clear(): Promise<void>;
}

/** Holds requests in another process until a test releases them. */
export interface RemoteGate {
  /**
   * Waits until `count` requests have arrived at the gate. The wait keeps this process running.
   *
   * @param count - How many requests, counted from the call of `hold()`.
   * @throws Error if the gate is released, the session is reset, or the mock is closed here first.
   */
  arrived(count: number): Promise<void>;
  /** Lets the held requests continue, and holds no more. */
  release(): Promise<void>;
}

/** How many requests a fault affects, and which. Unlike in `InjectOptions`, `when` cannot be a function. */
export interface RemoteInjectOptions extends Pick<InjectOptions, "times"> {
  /**
   * Which requests it affects: those whose plant has these values.
   *
   * @defaultValue every request
   */
  when?: PlantMatch | undefined;
}

/** The value of {@link RemoteMockSession.clientOptions}, for `new PlantStoreClient(session.clientOptions)`. */
export interface RemoteClientOptions extends Omit<MockClientOptions, "fetch"> {}

/** One test's own view of a mock in another process: like `MockSession`, but with asynchronous methods. */
export interface RemoteMockSession extends Pick<MockSession, "baseUrl" | "token"> {
  /** Options for a client of this session. */
  readonly clientOptions: RemoteClientOptions;
  /** The plants of this session. */
  readonly plants: RemoteMockPlants;
  /** The requests of this session. */
  readonly requests: RemoteMockRequests;
  /**
   * Makes one or more requests fail.
   *
   * @param fault - How the requests fail.
   * @param options - How many requests, and which.
   * @throws TypeError if the fault is invalid, if the HTTP mock cannot reproduce it, or if `when` is a function.
   */
  inject(fault: Fault, options?: RemoteInjectOptions): Promise<void>;
  /**
   * Holds every later request of this session, after its body is read and before it is validated.
   *
   * @returns The gate, which counts and releases the held requests.
   */
  hold(): Promise<RemoteGate>;
  /** Resets the session: plants return to the seed; requests, faults and gates are removed. */
  reset(): Promise<void>;
  /**
   * Fails if the test left anything behind.
   *
   * @throws Error with every problem, and how to fix it.
   */
  verify(): Promise<void>;
  /** Resets the session and frees its tokens. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A mock in another process: the root session, which opens other sessions. */
export interface RemoteMockPlantStore extends RemoteMockSession {
  /**
   * Opens a session.
   *
   * @param options - Its tokens.
   * @returns The session.
   * @throws TypeError if a token is empty, malformed or already in use.
   */
  session(options?: MockSessionOptions): Promise<RemoteMockSession>;
  /**
   * The label that replaces a token in recorded requests.
   *
   * @param token - The bearer token.
   */
  labelOf(token: string): Promise<string>;
  /**
   * Disposes the sessions opened here, and disconnects: calls under way and later ones fail. The mock keeps running, and
   * other processes may keep using it.
   */
  close(): Promise<void>;
  /** The same as {@link RemoteMockPlantStore.close}. */
  [Symbol.asyncDispose](): Promise<void>;
}
