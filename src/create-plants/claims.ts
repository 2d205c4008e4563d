import type { Clock } from "../call/clock.ts";
import type { NewPlant } from "../contract/plant.ts";
import type { Outcome } from "../errors.ts";
import type { Job } from "./job.ts";
import { type JournalState, type PlantJournal, readState } from "./journal.ts";

/** What one run asks its journal. Of several plants with one id, one at a time has its turn. */
export class Claims<Input extends NewPlant> {
  /** The number of plants that wait for an earlier one with the same id. */
  waiting = 0;
  readonly #journal: PlantJournal<Input>;
  readonly #clock: Clock;
  /** By the id of each plant that has its turn, those that follow. */
  readonly #followers = new Map<string, Job<Input>[]>();

  constructor(journal: PlantJournal<Input>, clock: Clock) {
    this.#journal = journal;
    this.#clock = clock;
  }

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

  /** @throws What the journal throws. */
  async claim(job: Job<Input>): Promise<JournalState> {
    const state = await this.#hold(async () => readState(await this.#journal.claim(plantOf(job), job.index)));
    job.isClaimed = state === undefined;
    return state;
  }

  /** @throws What the journal throws. */
  async record(job: Job<Input>, outcome: "created" | Outcome): Promise<void> {
    job.isClaimed = outcome === "unknown";
    await this.#hold(async () => this.#journal.record(plantOf(job), outcome, job.index));
  }

  /** A test's clock waits for the journal. */
  async #hold<Value>(question: () => Promise<Value>): Promise<Value> {
    const release = this.#clock.hold?.("the journal of createPlants");
    try {
      return await question();
    } finally {
      release?.();
    }
  }
}

/** The plant as it was read for the journal, even if an object of the application has got another id since. */
export function plantOf<Input extends NewPlant>({ input, valid }: Job<Input>): Input {
  return valid === undefined || input.id === valid.id ? input : { ...input, ...valid };
}

function keyOf({ valid }: Job<NewPlant>): string {
  return `${valid?.id}`;
}
