import type { NewPlant } from "../../../src/contract/plant.ts";
import type { Fault } from "../../service/faults/fault.ts";
import type {
  Gate,
  InjectOptions,
  MockClientOptions,
  MockPlantStore,
  MockPlants,
  MockRequests,
  MockSession,
  MockSessionOptions,
  PlantMatch,
  RecordedRequest,
} from "../../service/mock-plant-store.ts";

/** The same members, asynchronous: each value and each result is a promise, which rejects in place of an exception. */
export type Remote<Members> = {
  readonly [Name in keyof Members]: Members[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : Promise<Members[Name]>;
};

/** The plants of one session of a mock in another process: like {@link MockPlants}, but asynchronous. */
export interface RemoteMockPlants extends Remote<Omit<MockPlants, typeof Symbol.iterator>>, AsyncIterable<NewPlant> {}

/** The requests of one session of a mock in another process: like {@link MockRequests}, but asynchronous. */
export interface RemoteMockRequests
  extends Remote<Omit<MockRequests, typeof Symbol.iterator>>,
    AsyncIterable<RecordedRequest> {}

/**
 * A {@link Gate} in another process. A wait for arrivals keeps this process running; it rejects too if the mock is closed
 * here first.
 */
export interface RemoteGate extends Remote<Gate> {}

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

/** One test's own view of a mock in another process: like {@link MockSession}, but asynchronous. */
export interface RemoteMockSession
  extends Pick<MockSession, "baseUrl" | "token">,
    Remote<Pick<MockSession, "reset" | "verify">> {
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
  /** Resets the session and frees its tokens. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A mock in another process: the root session, which opens other sessions. */
export interface RemoteMockPlantStore extends RemoteMockSession, Remote<Pick<MockPlantStore, "labelOf">> {
  /**
   * Opens a session.
   *
   * @param options - Its tokens.
   * @returns The session.
   * @throws TypeError if a token is empty, malformed or already in use.
   */
  session(options?: MockSessionOptions): Promise<RemoteMockSession>;
  /**
   * Disposes the sessions opened here, and disconnects: calls under way and later ones fail. The mock keeps running, and
   * other processes may keep using it.
   */
  close(): Promise<void>;
  /** The same as {@link RemoteMockPlantStore.close}. */
  [Symbol.asyncDispose](): Promise<void>;
}
