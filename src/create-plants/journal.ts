import { describe } from "../checks/describe.ts";
import type { NewPlant } from "../contract/plant.ts";
import type { Outcome } from "../errors.ts";

/**
 * What a journal knows of a plant: it was created; it was sent, and whether it exists is unclear; another plant with its id
 * was created; or, if `undefined`, nothing that keeps it from being sent.
 */
export type JournalState = "created" | "unknown" | "changed" | undefined;

/**
 * Remembers which plants were sent and created, so that a run that was killed can be continued: a file
 * (`openJournal` of `plant-store-client/journal`), or a store of the application's own.
 *
 * A plant is known by its id. The contract does not say that ids are unique, so this is an assumption: with a journal, of two
 * different plants with one id only one is created. A run waits for its journal, even after its signal was aborted: give
 * requests of your own a timeout.
 */
export interface PlantJournal<Input extends NewPlant = NewPlant> {
  /**
   * Called before each try of a valid plant, unless its last record in this run was `unknown`. From then on, until `record`,
   * the plant is unclear. Of two plants with one id, the second is claimed after the first has its result.
   *
   * @param plant - The plant, as the input yielded it.
   * @param index - Its position in this input, 0 for the first; it may be another one in the next run.
   * @returns What an earlier run recorded of this id: `created` for the same plant (`fingerprintOf` of
   * `plant-store-client/journal` compares the other fields), `changed` for another one, `unknown` if it is unclear. Only after
   * `undefined` the plant is sent.
   */
  claim(plant: Input, index: number): JournalState | Promise<JournalState>;
  /**
   * Called after each try.
   *
   * @param plant - The plant, with the id that it had at `claim`.
   * @param outcome - `created`, or the worst outcome of the plant's tries in this run. After `unknown` the plant stays
   * unclear; after any other the next claim may send it.
   * @param index - Its position in this input.
   */
  record(plant: Input, outcome: "created" | Outcome, index: number): void | Promise<void>;
}

const STATES: readonly unknown[] = ["created", "unknown", "changed", undefined];

/** Checks the answer of `claim`: a plant with a state of another name would be lost. */
export function readState(state: unknown): JournalState {
  if (STATES.includes(state)) return state as JournalState;
  const expected = 'claim of the journal must return "created", "unknown", "changed" or undefined';
  throw new TypeError(`${expected}; it returned ${describe(state)}`);
}
