import type { JournalState } from "../create-plants/journal.ts";
import { ANY_FINGERPRINT, type Entry, formatLine } from "./line.ts";

type Id = number | bigint;

/** A Map of V8 ends near 16.7 million entries. */
const MAX_PLANTS = 16_000_000;

/** What a journal knows: the fingerprints of the plants, by their ids. */
export class KnownPlants {
  readonly #created = new Map<Id, number>();
  readonly #unclear = new Map<Id, number>();
  readonly #limit: number;

  constructor(limit: number = MAX_PLANTS) {
    this.#limit = limit;
  }

  /** @throws An Error if there are too many plants. */
  add({ id, fingerprint, sign }: Entry): void {
    // What was created stays created.
    if (this.#created.has(id)) return;
    if (sign === "-") this.#unclear.delete(id);
    else if (!this.#unclear.has(id)) this.#checkLimit();
    if (sign === "?") this.#unclear.set(id, fingerprint);
    if (sign !== "+") return;
    this.#unclear.delete(id);
    this.#created.set(id, fingerprint);
  }

  #checkLimit(): void {
    if (this.#created.size + this.#unclear.size < this.#limit) return;
    throw new Error(`A journal knows at most ${this.#limit} plants: split the input, with a journal for each part`);
  }

  stateOf(id: Id, fingerprint: number): JournalState {
    if (this.#unclear.has(id)) return "unknown";
    const created = this.#created.get(id);
    if (created === undefined) return undefined;
    return created === fingerprint || created === ANY_FINGERPRINT ? "created" : "changed";
  }

  isCreated(id: Id): boolean {
    return this.#created.has(id);
  }

  /** That of an unclear plant; undefined for any other. */
  unclearFingerprint(id: Id): number | undefined {
    return this.#unclear.get(id);
  }

  created(): Iterable<Id> {
    return this.#created.keys();
  }

  /** Lines that say all of it. */
  *lines(): Generator<string> {
    for (const [id, fingerprint] of this.#created) yield formatLine({ id, fingerprint, sign: "+" });
    for (const [id, fingerprint] of this.#unclear) yield formatLine({ id, fingerprint, sign: "?" });
  }
}
