// The model. A journal is a text file to which lines are only added: a header, which names the store, and before and after
// each try of a plant a line with its id, the fingerprint of its other fields, a sign (`?` about to be sent, `+` created,
// `-` certainly not created) and a checksum of these. A plant is sent only when its `?` is on the disk; so a kill or a power
// cut can tear only the end of the file, and nothing that was sent is lost with it. Opening reads every line: a torn end gets
// a mark, by which it is ignored from then on, and any other line that is not as it was written refuses the file. Before each
// line, the file must still be the one that its path names, with all that was written and nothing else. In mode `normal`,
// lines go into the file. In mode `failed` (the disk failed, or another process writes the file) nothing more is written, and
// no plant is sent. In mode `rescued` (the file was removed, renamed, replaced or truncated) no plant is sent either, but all
// that is known was saved as `<path>.rescued`, and so is what the plants in flight come to; while that exists, no journal opens.

import { appendFileSync, closeSync, existsSync, fdatasync, fstatSync, openSync, rmSync, statSync } from "node:fs";
import { promisify } from "node:util";
import { reasonOf } from "../checks/thrown.ts";

const bringToDisk = promisify(fdatasync);

/** Unless it is `normal`, with the reason why no plant may be sent any more. */
type Mode = { readonly name: "normal" } | { readonly name: "failed" | "rescued"; readonly error: Error };

/** The file of a journal, to which lines are only added. */
export class AppendOnlyFile {
  /** A number, because a FileHandle that nobody closed ends the process. */
  readonly #fd: number;
  /** The file that is written instead in mode `rescued`. */
  readonly #rescued: string;
  /** The size that the file has if nobody else writes it. */
  #size: number;
  #mode: Mode = { name: "normal" };
  #closing: Promise<void> | undefined;

  /** The lines for the next write to the disk, and the last one that was asked for. */
  #lines = "";
  #syncing: Promise<void> = Promise.resolve();

  /**
   * Opens the file, or creates it.
   *
   * @param path - An absolute path: a relative one would name another file if the process changes its folder.
   * @param read - Reads it, and returns what is missing at its end.
   * @param contents - All that is known, for another file if this one is lost.
   */
  constructor(
    private readonly path: string,
    read: (fd: number) => string,
    private readonly contents: () => Iterable<string>,
  ) {
    this.#rescued = `${path}.rescued`;
    if (existsSync(this.#rescued))
      throw new Error(`${this.#rescued} was saved when ${path} was lost: rename it to that, or delete it`);
    this.#fd = openSync(path, "a+");
    // Before it is read: a line of another process that comes later is noticed.
    this.#size = fstatSync(this.#fd).size;
    try {
      this.#write(read(this.#fd));
    } catch (error) {
      closeSync(this.#fd);
      throw error;
    }
  }

  /** Writes a line at once, so that a kill right afterwards does not lose it. */
  append(line: string): void {
    this.#checkOpen();
    if (this.#mode.name === "rescued") appendFileSync(this.#rescued, line);
    else {
      this.#check();
      this.#write(line);
    }
  }

  /** Brings a line to the disk, so that a power cut does not lose it: with one write for all lines until then. */
  sync(line: string): Promise<void> {
    this.#checkOpen();
    if (this.#lines === "") this.#syncing = this.#syncing.then(() => this.#writeToDisk());
    this.#lines += line;
    return this.#syncing;
  }

  async #writeToDisk(): Promise<void> {
    const lines = this.#lines;
    this.#lines = "";
    this.#check();
    this.#write(lines);
    await bringToDisk(this.#fd).catch((error) => this.#fail(error));
    // Another process may have claimed the same plants at the same time.
    this.#check();
  }

  #write(lines: string): void {
    try {
      appendFileSync(this.#fd, lines);
      this.#size += lines.length;
    } catch (error) {
      // A part may have been written, and a line that follows it would be damaged.
      this.#fail(error as Error);
    }
  }

  #fail(error: Error, name: "failed" | "rescued" = "failed"): never {
    const mode = this.#mode.name === "normal" ? { name, error } : this.#mode;
    this.#mode = mode;
    throw mode.error;
  }

  #checkOpen(): void {
    if (this.#closing) throw new Error(`The journal ${this.path} is closed: open it again`);
  }

  /** Checks that the path still names the file, with all that was written and nothing else. */
  #check(): void {
    if (this.#mode.name !== "normal") throw this.#mode.error;
    const found = statSync(this.path, { throwIfNoEntry: false });
    const { dev, ino, nlink } = fstatSync(this.#fd);
    const isSame = found?.dev === dev && found.ino === ino;
    if (isSame && found.size === this.#size) return;
    if (isSame && found.size > this.#size) {
      this.#fail(new Error(`${this.path} is written by another process: run one import with it at a time`));
    }
    const isGone = nlink === 0 ? "removed" : "renamed";
    const isOther = found ? "replaced by another file" : isGone;
    this.#rescue(`${this.path} was ${isSame ? "truncated" : isOther} during the run`);
  }

  /** Writes all that is known to another file, which also gets what is recorded from now on. */
  #rescue(problem: string): never {
    let fd: number | undefined;
    try {
      fd = openSync(this.#rescued, "ax");
      for (const line of this.contents()) appendFileSync(fd, line);
      closeSync(fd);
    } catch (error) {
      // A part of it would say that the other plants were never sent.
      if (fd !== undefined) rmSync(this.#rescued);
      this.#fail(new Error(`${problem}. What this process knows could not be saved${reasonOf(error)}`));
    }
    const advice = `rename that to ${this.path} before the next run`;
    this.#fail(new Error(`${problem}. All that this process knows is in ${this.#rescued}: ${advice}`), "rescued");
  }

  /**
   * Brings the last lines to the disk, and closes the file.
   *
   * @throws An Error if that fails, unless a call before has thrown it.
   */
  close(): Promise<void> {
    this.#closing ??= (this.#mode.name === "normal" ? this.sync("") : this.#syncing.catch(() => {}))
      // Not before: the descriptor may be another file's from here on.
      .finally(() => closeSync(this.#fd));
    return this.#closing;
  }
}
