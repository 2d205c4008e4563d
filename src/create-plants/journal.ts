import type { Clock } from "../call/clock.ts";
import { runHeld } from "../call/foreign-code.ts";
import { describe } from "../checks/describe.ts";
import type { NewPlant } from "../contract/plant.ts";
import type { Outcome } from "../errors.ts";
import type { Job } from "./job.ts";

/**
 * What a journal knows of a plant: it was created; it may have been sent, and whether it exists is unclear; another plant with
 * its id was created; or, if `undefined`, nothing that keeps it from being sent.
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
   * @returns What was recorded of this id before: `created` for the same plant (`fingerprintOf` of
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

/** What one run asks its journal. Of several plants with one id, one at a time has its turn. */
export class Claims<Input extends NewPlant> {
  /** The number of plants that wait for an earlier one with the same id. */
  waiting = 0;
  /** By the id of each plant that has its turn, those that follow. */
  readonly #followers = new Map<string, Job<Input>[]>();

  constructor(
    private readonly journal: PlantJournal<Input>,
    private readonly clock: Clock,
  ) {}

  /** Whether a plant has its turn now; if not, it waits. */
  enter(job: Job<Input>): boolean {
    const followers = this.#followers.get(keyOf(job));
    if (!followers) this.#followers.set(keyOf(job), []);
    else {
      followers.push(job);
      this.waiting++;
    }
    return !followers;
  }

  /** The plant whose turn comes because this one is done, if any. */
  leave(job: Job<Input>): Job<Input> | undefined {
    const next = this.#followers.get(keyOf(job))?.shift();
    if (next) this.waiting--;
    else this.#followers.delete(keyOf(job));
    return next;
  }

  /** @throws What the journal throws, and a TypeError if its answer is no state: a plant would be lost. */
  async claim(job: Job<Input>): Promise<JournalState> {
    const state = await this.#ask(() => this.journal.claim(plantOf(job), job.index));
    if (!STATES.includes(state)) {
      const expected = 'claim of the journal must return "created", "unknown", "changed" or undefined';
      throw new TypeError(`${expected}; it returned ${describe(state)}`);
    }
    job.isClaimed = state === undefined;
    return state;
  }

  /** @throws What the journal throws. */
  async record(job: Job<Input>, outcome: "created" | Outcome): Promise<void> {
    job.isClaimed = outcome === "unknown";
    await this.#ask(() => this.journal.record(plantOf(job), outcome, job.index));
  }

  #ask<Value>(question: () => Value | Promise<Value>): Promise<Value> {
    return runHeld(this.clock, "the journal of createPlants", question);
  }
}

/** The plant as it was read for the journal, even if an object of the application has got another id since. */
export function plantOf<Input extends NewPlant>({ input, valid }: Job<Input>): Input {
  return valid === undefined || input.id === valid.id ? input : { ...input, ...valid };
}

function keyOf({ valid }: Job<NewPlant>): string {
  return `${valid?.id}`;
}
