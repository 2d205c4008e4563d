/**
 * The journal of `createPlants` in a file, by which an import that was killed continues; for Node, Bun and Deno.
 *
 * @module plant-store-client/journal
 */

import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { describe } from "./checks/describe.ts";
import { baseUrlProblem, normalizeBaseUrl } from "./checks/http/base-url.ts";
import { throwIfProblem } from "./config-error.ts";
import { INT64_RULE, isInt64, narrowInt64 } from "./contract/int64.ts";
import type { NewPlant } from "./contract/plant.ts";
import type { JournalState, PlantJournal } from "./create-plants/journal.ts";
import type { Outcome, PlantStoreConfigError } from "./errors.ts";
import { AppendOnlyFile } from "./journal/file.ts";
import { type Entry, formatFingerprint, formatLine, HEADER, readJournal } from "./journal/lines.ts";

export type { JournalState, PlantJournal } from "./create-plants/journal.ts";

/** A journal in a text file. */
export interface FileJournal extends PlantJournal {
  claim(plant: NewPlant, index?: number): JournalState | Promise<JournalState>;
  record(plant: NewPlant, outcome: "created" | Outcome, index?: number): void;
  /** The ids of the plants that were created, as `number` if that is exact, else as `bigint`. */
  created(): Iterable<number | bigint>;
  /**
   * The ids of the plants that may exist: each may have been sent, and nobody knows what came of it. Look it up in the store,
   * and call `resolve`, which may happen while this is iterated. Plants that this process is creating are not among them.
   *
   * @example
   * {@includeCode ../docs/code/journal.ts#unclear}
   */
  unclear(): Iterable<number | bigint>;
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
 * @param path - The file. A relative path is resolved now, so the process may change its folder later.
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
  return new Journal(resolve(path), `${HEADER} ${normalizeBaseUrl(options.baseUrl)}`);
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
    .update(JSON.stringify([name, tag]))
    .digest();
  return Number(hash.readBigUInt64BE() >> 11n);
}

class Journal implements FileJournal {
  readonly #file: AppendOnlyFile;
  /** Those of the plants that may exist, by their ids. */
  readonly #fingerprints = new Map<number | bigint, number>();
  /** The ids of those plants of which it is unclear whether they exist. */
  readonly #unclear = new Set<number | bigint>();
  /** The ids of those unclear plants that were claimed and whose record will follow. */
  readonly #inFlight = new Set<number | bigint>();

  constructor(path: string, header: string) {
    const read = (fd: number) => readJournal(path, fd, header, (entry) => this.#learn(entry));
    this.#file = new AppendOnlyFile(path, read, () => this.#lines(header));
  }

  claim(plant: NewPlant): JournalState | Promise<JournalState> {
    const id = checkedId(plant.id);
    if (this.#unclear.has(id)) return "unknown";
    const fingerprint = hashOf(plant);
    const created = this.#fingerprints.get(id);
    if (created === undefined) return this.#open({ id, fingerprint, sign: "?" });
    return created === fingerprint ? "created" : "changed";
  }

  async #open(entry: Entry): Promise<undefined> {
    // Before it is written, so that the plant cannot be claimed twice.
    const line = this.#add(entry);
    this.#inFlight.add(entry.id);
    try {
      await this.#file.sync(line);
    } catch (error) {
      this.#inFlight.delete(entry.id);
      // Into the file that has been written instead; without one, this throws the same error.
      this.#file.append(this.#add({ ...entry, sign: "-" }));
      throw error;
    }
  }

  record(plant: NewPlant, outcome: "created" | Outcome): void {
    const id = checkedId(plant.id);
    this.#inFlight.delete(id);
    if (outcome === "unknown") return;
    // That of the claim, unless somebody has resolved the plant meanwhile.
    const fingerprint = this.#fingerprints.get(id) ?? hashOf(plant);
    this.#file.append(this.#add({ id, fingerprint, sign: outcome === "created" ? "+" : "-" }));
  }

  *created(): Iterable<number | bigint> {
    for (const id of this.#fingerprints.keys()) if (!this.#unclear.has(id)) yield id;
  }

  *unclear(): Iterable<number | bigint> {
    for (const id of this.#unclear) if (!this.#inFlight.has(id)) yield id;
  }

  async resolve(id: number | bigint, { exists }: { readonly exists: boolean }): Promise<void> {
    // A forgotten `exists` would send the plant again.
    if (typeof exists !== "boolean") throw new TypeError(`exists must be true or false, not ${describe(exists)}`);
    const key = checkedId(id);
    const fingerprint = this.#fingerprints.get(key);
    if (fingerprint === undefined || !this.#unclear.has(key)) {
      throw new Error(`The plant with id ${id} is not unclear: there is nothing to resolve`);
    }
    await this.#file.sync(this.#add({ id: key, fingerprint, sign: exists ? "+" : "-" }));
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Returns the line that says what from now on is known. */
  #add(entry: Entry): string {
    this.#learn(entry);
    return formatLine(entry);
  }

  #learn({ id, fingerprint, sign }: Entry): void {
    // What was created stays created.
    if (this.#fingerprints.has(id) && !this.#unclear.has(id)) return;
    if (sign === "-") this.#fingerprints.delete(id);
    else this.#fingerprints.set(id, fingerprint);
    if (sign === "?") this.#unclear.add(id);
    else this.#unclear.delete(id);
  }

  /** Lines that say all that is known. */
  *#lines(header: string): Generator<string> {
    yield `${header}\n`;
    for (const [id, fingerprint] of this.#fingerprints) {
      yield formatLine({ id, fingerprint, sign: this.#unclear.has(id) ? "?" : "+" });
    }
  }
}

/** @throws A TypeError if it is no int64: it would damage the file. A run refuses such a plant before it claims. */
function checkedId(id: number | bigint): number | bigint {
  if (!isInt64(id)) throw new TypeError(`id ${INT64_RULE}, not ${describe(id)}`);
  return narrowInt64(id);
}
