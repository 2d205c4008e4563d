import { closeSync, openSync, renameSync, writeSync } from "node:fs";

/**
 * A CSV file of the lines without a created plant. Each run reports all of them again, so the file is written anew next to
 * that of the last run, which it replaces at the end.
 */
export class Rejects {
  readonly #path: string;
  readonly #file: number;

  /** @throws Error if the file cannot be written. */
  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(pathOfNew(path), "w");
    writeSync(this.#file, "line,outcome,reason,text\n");
  }

  /** Adds a line of the list, as it was read. */
  add(line: number, outcome: string, reason: string, text: string): void {
    writeSync(this.#file, `${line},${outcome},${quote(reason)},${quote(text)}\n`);
  }

  /** @returns where the file is. That of a run that did not come to the end of its list replaces no other. */
  close(isComplete: boolean): string {
    closeSync(this.#file);
    if (!isComplete) return pathOfNew(this.#path);
    renameSync(pathOfNew(this.#path), this.#path);
    return this.#path;
  }
}

/** Where the rejects of a run are until its end. */
export function pathOfNew(path: string): string {
  return `${path}.new`;
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
