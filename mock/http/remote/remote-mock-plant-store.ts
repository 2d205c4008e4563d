import type { ValidNewPlant } from "../../../src/contract/plant.ts";
import type {
  Gate,
  InjectOptions,
  MockClientOptions,
  MockPlantStore,
  MockPlants,
  MockRequests,
  MockSession,
  RecordedRequest,
} from "../../service/mock-plant-store.ts";

/** A part of a mock as another process sees it: what a local one returns or contains arrives as a promise. */
type Remote<Local> = {
  readonly [Name in keyof Local]: Local[Name] extends (...input: infer Input) => infer Result
    ? (...input: { [Index in keyof Input]: Sent<Input[Index]> }) => Promise<Received<Result>>
    : Local[Name] extends MockPlants
      ? RemoteMockPlants
      : Local[Name] extends MockRequests
        ? RemoteMockRequests
        : Promise<Local[Name]>;
};

/** What a method takes: a function cannot be sent to another process. */
type Sent<Input> = Input extends InjectOptions ? RemoteInjectOptions : Input;

/** What a method returns. */
type Received<Result> = Result extends Gate
  ? RemoteGate
  : Result extends MockSession
    ? RemoteMockSession
    : Awaited<Result>;

/** The members that another process does not have, or that need no call. */
type LocalOnly =
  | "baseUrl"
  | "token"
  | "clientOptions"
  | "fetch"
  | "handle"
  | typeof Symbol.dispose
  | typeof Symbol.iterator;

/** How many requests a fault affects, and which. Unlike in `InjectOptions`, `when` cannot be a function. */
export type RemoteInjectOptions = {
  [Name in keyof InjectOptions]: Exclude<InjectOptions[Name], (...input: never) => unknown>;
};

/** Holds requests in another process until a test releases them. A wait for them keeps this process running. */
export interface RemoteGate extends Remote<Gate> {}

/** The plants of one session of a mock in another process. */
export interface RemoteMockPlants extends Remote<Omit<MockPlants, LocalOnly>>, AsyncIterable<ValidNewPlant> {}

/** The requests of one session of a mock in another process, oldest first. */
export interface RemoteMockRequests extends Remote<Omit<MockRequests, LocalOnly>>, AsyncIterable<RecordedRequest> {}

/** One test's own view of a mock in another process: a `MockSession` whose methods are asynchronous. */
export interface RemoteMockSession
  extends Pick<MockSession, "baseUrl" | "token">,
    Remote<Omit<MockSession, LocalOnly>> {
  /** Options for a client of this session: `new PlantStoreClient(session.clientOptions)`. */
  readonly clientOptions: Omit<MockClientOptions, "fetch" | "clock">;
  /** Resets the session and frees its tokens. */
  close(): Promise<void>;
  /** The same as {@link RemoteMockSession.close}. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A mock in another process: the root session, which opens other sessions. */
export interface RemoteMockPlantStore
  extends RemoteMockSession,
    Remote<Omit<MockPlantStore, keyof MockSession | "handle">> {
  /**
   * Disposes the sessions opened here, and disconnects: calls under way and later ones fail. The mock keeps running, and
   * other processes may keep using it.
   */
  close(): Promise<void>;
  /** The same as {@link RemoteMockPlantStore.close}. */
  [Symbol.asyncDispose](): Promise<void>;
}
