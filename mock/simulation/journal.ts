import type { Random } from "../time/clock.ts";
import type { Life } from "../time/life.ts";
import type { SimulatedJournal } from "./scenario.ts";

/** The longest time of a write, in milliseconds. */
const WRITE_MS = 20;

/** What is known of a plant: the fields that were sent, and whether it was recorded as created. */
interface Entry {
  readonly sent: string;
  readonly isCreated: boolean;
}

/** What the journals of all lives of a run have written. */
export class JournalEntries {
  readonly #entries = new Map<string, Entry>();

  /** The ids of the plants that were recorded as created. */
  get created(): Set<string> {
    return new Set([...this.#entries].flatMap(([id, { isCreated }]) => (isCreated ? [id] : [])));
  }

  /** The journal of one life. */
  open(life: Life, random: Random): SimulatedJournal {
    const entries = this.#entries;
    return {
      claim: ({ id, name, tag }) => {
        const sent = JSON.stringify([name, tag ?? null]);
        return life.atRisk(random() * WRITE_MS, random, () => {
          const entry = entries.get(`${id}`);
          if (entry?.isCreated) return entry.sent === sent ? "created" : "changed";
          if (entry) return "unknown";
          entries.set(`${id}`, { sent, isCreated: false });
          return undefined;
        });
      },
      record: async ({ id }, outcome) => {
        const entry = entries.get(`${id}`);
        if (!entry) throw new Error(`journal.record: plant ${id} was not claimed`);
        await life.atRisk(random() * WRITE_MS, random, () => {
          if (outcome === "created") entries.set(`${id}`, { ...entry, isCreated: true });
          else if (outcome !== "unknown" && !entries.get(`${id}`)?.isCreated) entries.delete(`${id}`);
        });
      },
    };
  }
}
