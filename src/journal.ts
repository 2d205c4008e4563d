/**
 * The journal of `createPlants` in a file, by which an import that was killed continues; for Node, Bun and Deno.
 *
 * @module plant-store-client/journal
 */

import { appendFileSync, fstatSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { describe } from "./checks/describe.ts";
import { baseUrlProblem, normalizeBaseUrl } from "./checks/http/base-url.ts";
import { throwIfProblem } from "./config-error.ts";
import type { NewPlant } from "./contract/plant.ts";
import type { JournalState, PlantJournal } from "./create-plants/journal.ts";
import type { Outcome, PlantStoreConfigError } from "./errors.ts";

export type { JournalState, PlantJournal } from "./create-plants/journal.ts";

const HEADER = "plant-store-journal 1";
/** Before a plant is sent: its index and fingerprint. After a try: `+` if it was created, `-` if it certainly was not. */
const LINE = /^(\d{1,16}) (?:([0-9a-f]{8})|([+-]))$/;

/** What the journal knows of one plant; no sign if it was sent, and it is unclear whether it exists. */
interface Row {
  readonly fingerprint: string;
  sign: "" | "+" | "-";
}

/** A journal in a text file. */
export interface FileJournal extends PlantJournal {
  /** The indexes of the plants that were created, in the order in which they were sent first. */
  created(): Iterable<number>;
  /**
   * Records what a person found out about an unclear plant.
   *
   * @param index - The position in the input.
   * @param found - Whether the store has the plant. If not, the next run sends it.
   * @throws A TypeError if `exists` is not a boolean, and an Error if the plant was created, or never sent.
   */
  resolve(index: number, found: { readonly exists: boolean }): Promise<void>;
  /** Closes the file. */
  close(): Promise<void>;
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
 * @throws An Error if the file is of another base URL, is no journal, or cannot be opened.
 *
 * @example
 * {@includeCode ../docs/code/journal.ts#file}
 */
export async function openJournal(path: string, options: { readonly baseUrl: string | URL }): Promise<FileJournal> {
  throwIfProblem("baseUrl", baseUrlProblem(options.baseUrl));
  const header = `${HEADER} ${normalizeBaseUrl(options.baseUrl)}\n`;
  const file = await open(path, "a+");
  try {
    const bytes = await file.readFile();
    const text = bytes.toString();
    // A kill may have cut the header short.
    const begun = header.startsWith(text) ? header.slice(text.length) : "";
    if (begun === "" && !text.startsWith(header)) throw wrongHeader(path, text, header);
    // A line that a kill cut short is kept, and ignored.
    const missing = begun || (text.endsWith("\n") ? "" : "\n");
    appendFileSync(file.fd, missing);
    return new Journal(path, file, readRows(text), bytes.length + missing.length);
  } catch (error) {
    await file.close();
    throw error;
  }
}

function wrongHeader(path: string, text: string, header: string): Error {
  const [first = ""] = text.split("\n", 1);
  if (!first.startsWith(`${HEADER} `)) return new Error(`${path} is not a journal of this version: use another file`);
  return new Error(
    `${path} is the journal of ${first.slice(HEADER.length + 1)}, not of ${header.slice(HEADER.length + 1, -1)}: use another file`,
  );
}

function readRows(text: string): Map<number, Row> {
  const rows = new Map<number, Row>();
  for (let start = 0, end = text.indexOf("\n"); end >= 0; start = end + 1, end = text.indexOf("\n", start)) {
    const [, digits, fingerprint, sign] = LINE.exec(text.slice(start, end)) ?? [];
    const index = Number(digits);
    const row = rows.get(index);
    // What was created stays created.
    if (row?.sign === "+") continue;
    if (fingerprint) rows.set(index, { fingerprint, sign: "" });
    else if (row) row.sign = sign as Row["sign"];
  }
  return rows;
}

class Journal implements FileJournal {
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #rows: Map<number, Row>;
  /** The size that the file has if no other process writes it. */
  #size: number;
  /** The writes that are being brought to the disk, and those that follow. */
  #syncing: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(path: string, file: FileHandle, rows: Map<number, Row>, size: number) {
    this.#path = path;
    this.#file = file;
    this.#rows = rows;
    this.#size = size;
  }

  claim(index: number, plant: NewPlant): JournalState | Promise<JournalState> {
    const fingerprint = fingerprintOf(plant);
    const row = this.#rows.get(index);
    // A plant that does not exist may be corrected.
    if (row && row.sign !== "-") {
      if (row.fingerprint === fingerprint) return row.sign === "+" ? "created" : "unknown";
      throw new Error(
        `The plant with index ${index} is not the one that ${this.#path} knows: keep the order of the input`,
      );
    }
    this.#append(`${index} ${fingerprint}\n`);
    this.#rows.set(index, { fingerprint, sign: "" });
    return this.#sync().then(() => undefined);
  }

  record(index: number, outcome: "created" | Outcome): void {
    if (outcome !== "unknown") this.#sign(index, outcome === "created" ? "+" : "-");
  }

  *created(): Generator<number> {
    for (const [index, { sign }] of this.#rows) if (sign === "+") yield index;
  }

  async resolve(index: number, { exists }: { readonly exists: boolean }): Promise<void> {
    // A forgotten `exists` would send the plant again.
    if (typeof exists !== "boolean") throw new TypeError(`exists must be true or false, not ${describe(exists)}`);
    const sign = this.#rows.get(index)?.sign;
    if (sign === undefined || sign === "+") {
      const what = sign === "+" ? "was created" : "was never sent";
      throw new Error(`The plant with index ${index} ${what}: there is nothing to resolve`);
    }
    this.#sign(index, exists ? "+" : "-");
    await this.#sync();
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  #sign(index: number, sign: "+" | "-"): void {
    this.#append(`${index} ${sign}\n`);
    (this.#rows.get(index) as Row).sign = sign;
  }

  /** Synchronous, so that a kill right afterwards loses nothing. */
  #append(line: string): void {
    this.#checkSize();
    appendFileSync(this.#file.fd, line);
    this.#size += line.length;
  }

  /** One write to the disk for all lines until now, so that a power cut loses none of them. */
  #sync(): Promise<void> {
    this.#next ??= this.#syncing.then(async () => {
      this.#next = undefined;
      this.#syncing = this.#file.datasync();
      await this.#syncing;
      // Another process may have claimed the same plants at the same time.
      this.#checkSize();
    });
    return this.#next;
  }

  #checkSize(): void {
    if (fstatSync(this.#file.fd).size === this.#size) return;
    throw new Error(`${this.#path} is written by another process: run one import with it at a time`);
  }
}

/** A hash (FNV-1a) of a plant as it is sent; of an invalid one, of its fields as text. */
function fingerprintOf(plant: NewPlant): string {
  const { id, name, tag } = Object(plant) as Partial<NewPlant>;
  let hash = 0x811c9dc5;
  for (const character of JSON.stringify([String(id), String(name), tag == null ? null : String(tag)])) {
    hash = Math.imul(hash ^ (character.codePointAt(0) as number), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, "0");
}
