import type { CreatePlantOptions, PlantStoreClientOptions, PlantStoreError } from "plant-store-client";
import type { Behavior, Post, ScriptedServer } from "./server.ts";

/** What a fault may act on while its call is under way. */
export interface Stage {
  /** The port of the service. */
  readonly port: number;
  /** Aborts the call. */
  readonly abort: () => void;
  /** Starts the service of this row, where it was not there from the beginning. */
  readonly start: () => Promise<ScriptedServer>;
}

/** What a row reports, by either transport. */
export interface Report {
  /** POSTs that the service read. */
  readonly posts: number;
  /** How many of them it processed. */
  readonly processed: number;
  /** `created`, or the error's kind, with the reason where it is a `response`. */
  readonly result: PlantStoreError["kind"] | "created" | `response (${string})`;
  readonly outcome: PlantStoreError["outcome"] | "–";
  readonly attempts: number;
}

/** One fault, and the result of the call. */
export interface Fault {
  readonly name: string;
  /** What the service does; a healthy one where this is absent. */
  readonly service?: (stage: Stage) => Behavior | ((post: Post) => void);
  /** Where the service is: there from the beginning, behind TLS, or not there. */
  readonly place?: "up" | "tls" | "down";
  readonly baseUrl?: (port: number) => string;
  /** Options of the client that are not the default. */
  readonly client?: (stage: Stage) => PlantStoreClientOptions;
  /** Options of the call that are not the default. */
  readonly call?: CreatePlantOptions;
  /** What happens when the reply's head is here, and before its body is read. */
  readonly answered?: (stage: Stage) => void;
  /** An earlier call of the same client has left a connection open. */
  readonly isReused?: boolean;
  /** An earlier call has created a plant at this address: else a `fetch` that did not call its hook proves nothing. */
  readonly isKnown?: boolean;
  readonly expected: Report;
}
