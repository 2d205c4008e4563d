import type { NewPlant } from "../../src/contract/plant.ts";
import type { LifeClock } from "../time/life-clock.ts";
import type { Random } from "../time/random.ts";
import type { SimulatedJournal } from "./scenario.ts";

/** The longest time of a write, in milliseconds. */
const WRITE_MS = 20;

/** What the journals of all lives of a run have written. */
export class JournalEntries {
  readonly #states = new Map<string, "created" | "unknown">();

  /** Whether a plant was recorded as created. */
  hasCreated(id: string): boolean {
    return this.#states.get(id) === "created";
  }

  /** The journal of one life. */
  open(life: LifeClock, random: Random): SimulatedJournal {
    const states = this.#states;
    const ids = new Map<number, string>();
    return {
      claim: (index, plant: NewPlant) => {
        const id = `${plant.id}`;
        ids.set(index, id);
        return life.atRisk(random() * WRITE_MS, random, () => {
          const state = states.get(id);
          if (state === undefined) states.set(id, "unknown");
          return state;
        });
      },
      record: async (index, outcome) => {
        const id = ids.get(index);
        if (id === undefined) throw new Error(`journal.record(${index}): call claim first`);
        await life.atRisk(random() * WRITE_MS, random, () => {
          if (outcome === "created") states.set(id, outcome);
          else if (outcome !== "unknown" && states.get(id) === "unknown") states.delete(id);
        });
      },
    };
  }
}
