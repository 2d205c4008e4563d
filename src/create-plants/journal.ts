import { describe } from "../checks/describe.ts";
import type { NewPlant } from "../contract/plant.ts";
import type { Outcome } from "../errors.ts";

/**
 * What a journal knows of a plant: it was created; it was sent, and whether it exists is unclear; or, if `undefined`,
 * nothing that keeps it from being sent.
 */
export type JournalState = "created" | "unknown" | undefined;

/**
 * Remembers which plants of an input were sent and created, so that a run that was killed can be continued: a file
 * (`openJournal` of `plant-store-client/journal`), or a store of the application's own.
 *
 * The index of a plant is its position in the input, so the order of the input must be the same in every run. A run waits
 * for its journal, even after its signal was aborted: give requests of your own a timeout.
 */
export interface PlantJournal {
  /**
   * Called before each try of a plant, unless its last record in this run was `unknown`. From then on, until `record`, the
   * plant is unclear.
   *
   * @param index - The position in the input, 0 for the first plant.
   * @param plant - The plant.
   * @returns What an earlier run recorded: a plant that was created, or is unclear, is not sent.
   */
  claim(index: number, plant: NewPlant): JournalState | Promise<JournalState>;
  /**
   * Called after each try.
   *
   * @param index - The position in the input.
   * @param outcome - `created`, or the worst outcome of the plant's tries in this run. After `unknown` the plant stays
   * unclear; after any other the next claim may send it.
   */
  record(index: number, outcome: "created" | Outcome): void | Promise<void>;
}

/** Checks the answer of `claim`: a plant with a state of another name would be lost. */
export function readState(state: unknown): JournalState {
  if (state === undefined || state === "created" || state === "unknown") return state;
  const expected = 'claim of the journal must return "created", "unknown" or undefined';
  throw new TypeError(`${expected}; it returned ${describe(state)}`);
}
