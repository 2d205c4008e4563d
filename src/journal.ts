/**
 * The journal of `createPlants` in a file, by which an import that was killed continues; for Node, Bun and Deno.
 *
 * @module plant-store-client/journal
 */

import { createHash } from "node:crypto";
import { describe } from "./checks/describe.ts";
import { baseUrlProblem, normalizeBaseUrl } from "./checks/http/base-url.ts";
import { describeIssues } from "./checks/schema.ts";
import { throwIfProblem } from "./config-error.ts";
import { narrowInt64 } from "./contract/int64.ts";
import { type NewPlant, type ValidNewPlant, validateNewPlant } from "./contract/plant.ts";
import type { JournalState, PlantJournal } from "./create-plants/journal.ts";
import type { Outcome, PlantStoreConfigError } from "./errors.ts";
import { AppendOnlyFile } from "./journal/file.ts";
import type { KnownPlants } from "./journal/known-plants.ts";
import { type Entry, formatFingerprint, formatLine, type Sign } from "./journal/line.ts";
import { HEADER, readJournal } from "./journal/read.ts";

export type { JournalState, PlantJournal } from "./create-plants/journal.ts";

/** A journal in a text file. */
export interface FileJournal extends PlantJournal {
  claim(plant: NewPlant, index?: number): JournalState | Promise<JournalState>;
  record(plant: NewPlant, outcome: "created" | Outcome, index?: number): void | Promise<void>;
  /** The ids of the plants that were created, as `number` if that is exact, else as `bigint`. */
  created(): Iterable<number | bigint>;
  /**
   * Records what a person found out about an unclear plant.
   *
   * @param id - The id of the plant.
   * @param found - Whether the store has the plant. If not, the next run sends it.
   * @throws A TypeError if `exists` is not a boolean, and an Error if the plant was created, or never sent.
   */
  resolve(id: number | bigint, found: { readonly exists: boolean }): Promise<void>;
  /**
   * Brings the last lines to the disk, and closes the file.
   *
   * @throws An Error if the file was removed, renamed, replaced or truncated, and no call has thrown that before.
   */
  close(): Promise<void>;
  /** The same as `close`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Opens or creates the journal of one import. Use it in one process at a time: of two, one at least stops before it sends.
 *
 * Delete the file to start again from the beginning.
 *
 * @param path - The file.
 * @param options - The base URL of the client: plants that were created in one store do not exist in another.
 * @returns The journal, for the option `journal` of `createPlants`.
 * @throws A {@link PlantStoreConfigError} if the base URL is invalid.
 * @throws An Error if the file is of another base URL or version, is damaged or no journal, or cannot be opened.
 *
 * @example
 * {@includeCode ../docs/code/journal.ts#file}
 */
export async function openJournal(path: string, options: { readonly baseUrl: string | URL }): Promise<FileJournal> {
  throwIfProblem("baseUrl", baseUrlProblem(options.baseUrl));
  return new Journal(path, `${HEADER} ${normalizeBaseUrl(options.baseUrl)}`);
}

/**
 * A hash of the fields of a plant except its id, for journals of your own: two plants of one id are the same if it is equal.
 *
 * @param plant - The plant.
 * @returns 14 hexadecimal digits, which stand for 53 bits.
 *
 * @example
 * {@includeCode ../docs/code/journal.ts#fingerprint}
 */
export function fingerprintOf(plant: Pick<NewPlant, "name" | "tag">): string {
  return formatFingerprint(hashOf(plant));
}

function hashOf({ name, tag }: Pick<NewPlant, "name" | "tag">): number {
  const hash = createHash("sha256")
    .update(JSON.stringify([name, tag ?? null]))
    .digest();
  return Number(hash.readBigUInt64BE() >> 11n);
}

class Journal implements FileJournal {
  readonly #file: AppendOnlyFile;
  readonly #plants: KnownPlants;

  constructor(path: string, header: string) {
    const contents = () => this.#lines(header);
    this.#file = new AppendOnlyFile(path, contents);
    try {
      const { plants, size, missing } = readJournal(path, this.#file.fd, header);
      this.#plants = plants;
      this.#file.complete(size, missing);
    } catch (error) {
      this.#file.abandon();
      throw error;
    }
  }

  *#lines(header: string): Generator<string> {
    yield `${header}\n`;
    yield* this.#plants.lines();
  }

  claim(plant: NewPlant): JournalState | Promise<JournalState> {
    const { id, fingerprint } = read(plant);
    const state = this.#plants.stateOf(id, fingerprint);
    if (state !== undefined) return state;
    const entry = { id, fingerprint, sign: "?" } as const;
    // Before it is written, so that the plant cannot be claimed twice.
    this.#plants.add(entry);
    return this.#bringToDisk(entry);
  }

  async #bringToDisk(entry: Entry): Promise<undefined> {
    try {
      await this.#file.sync(formatLine(entry));
    } catch (error) {
      this.#file.appendToRescued(this.#sign(entry.id, entry.fingerprint, "-"));
      throw error;
    }
  }

  record(plant: NewPlant, outcome: "created" | Outcome): void | Promise<void> {
    const id = narrowInt64(plant.id);
    const claimed = this.#plants.unclearFingerprint(id);
    // Even if somebody has resolved it meanwhile.
    if (outcome === "created") return this.#file.append(this.#sign(id, claimed ?? read(plant).fingerprint, "+"));
    if (outcome !== "unknown" && claimed !== undefined) return this.#file.append(this.#sign(id, claimed, "-"));
  }

  created(): Iterable<number | bigint> {
    return this.#plants.created();
  }

  async resolve(id: number | bigint, { exists }: { readonly exists: boolean }): Promise<void> {
    // A forgotten `exists` would send the plant again.
    if (typeof exists !== "boolean") throw new TypeError(`exists must be true or false, not ${describe(exists)}`);
    const key = narrowInt64(id);
    const fingerprint = this.#plants.unclearFingerprint(key);
    if (fingerprint === undefined) {
      const what = this.#plants.isCreated(key) ? "was created" : "was never sent, or certainly not created";
      throw new Error(`The plant with id ${id} ${what}: there is nothing to resolve`);
    }
    await this.#file.sync(this.#sign(key, fingerprint, exists ? "+" : "-"));
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #sign(id: number | bigint, fingerprint: number, sign: Sign): string {
    const entry = { id, fingerprint, sign };
    this.#plants.add(entry);
    return formatLine(entry);
  }
}

/** @throws A TypeError if the plant is invalid; a run refuses such a plant before it claims. */
function read(plant: NewPlant): { readonly id: number | bigint; readonly fingerprint: number } {
  const checked = validateNewPlant(plant);
  if (checked.issues) throw new TypeError(`The plant is invalid: ${describeIssues(checked.issues)}`);
  const { id, ...fields }: ValidNewPlant = checked.value;
  return { id: narrowInt64(id), fingerprint: hashOf(fields) };
}
