import { appendFileSync, closeSync, constants, fdatasync, fdatasyncSync, fstatSync, openSync, statSync } from "node:fs";
import { promisify } from "node:util";
import { reasonOf } from "../checks/schema.ts";

const bringToDisk = promisify(fdatasync);

/** The file of a journal, to which lines are only added. */
export class AppendOnlyFile {
  readonly fd: number;
  readonly #path: string;
  /** All that is known, for another file if this one is lost. */
  readonly #contents: () => Iterable<string>;
  /** Whether each write goes to the disk by itself. */
  readonly #isSynchronous: boolean;
  readonly #id: { readonly dev: number; readonly ino: number };
  /** The size that the file has if nobody else writes it. */
  #size = 0;
  /** Why no plant may be sent any more. */
  #failure: Error | undefined;
  /** The file that has been written instead of this one. */
  #rescued: string | undefined;
  #closing: Promise<void> | undefined;

  /** The lines for the next write to the disk, that write, and the one before. */
  #lines = "";
  #next: Promise<void> | undefined;
  #syncing: Promise<void> = Promise.resolve();

  /** Opens the file, or creates it. */
  constructor(path: string, contents: () => Iterable<string>) {
    const fd = openSync(path, "a+");
    this.#isSynchronous = isSyncDenied(fd);
    if (this.#isSynchronous) closeSync(fd);
    // A number, because a FileHandle that nobody closed ends the process.
    this.fd = this.#isSynchronous ? openSync(path, constants.O_RDWR | constants.O_APPEND | constants.O_DSYNC) : fd;
    this.#path = path;
    this.#contents = contents;
    this.#id = fstatSync(this.fd);
  }

  /** Adds what is missing in a file that has been read, and had this size. */
  complete(size: number, missing: string): void {
    this.#size = size;
    this.#write(missing);
  }

  /** Writes a line at once, so that a kill right afterwards does not lose it. */
  append(line: string): void | Promise<void> {
    this.#checkOpen();
    if (this.#rescued) return appendFileSync(this.#rescued, line);
    // Together with others, because such a write takes long.
    if (this.#isSynchronous) return this.sync(line);
    this.#check();
    this.#write(line);
  }

  /** Adds a line to the file that is written instead of this one, if there is one. */
  appendToRescued(line: string): void {
    if (this.#rescued) appendFileSync(this.#rescued, line);
  }

  /** Brings a line to the disk, so that a power cut does not lose it: with one write for all lines until then. */
  sync(line: string): Promise<void> {
    this.#checkOpen();
    this.#lines += line;
    this.#next ??= this.#syncing.then(() => {
      this.#next = undefined;
      const syncing = this.#writeToDisk();
      this.#syncing = syncing.catch(() => {});
      return syncing;
    });
    return this.#next;
  }

  async #writeToDisk(): Promise<void> {
    const lines = this.#lines;
    this.#lines = "";
    this.#check();
    this.#write(lines);
    if (!this.#isSynchronous) await bringToDisk(this.fd).catch((error) => this.#fail(error));
    // Another process may have claimed the same plants at the same time.
    this.#check();
  }

  #write(lines: string): void {
    try {
      appendFileSync(this.fd, lines);
      this.#size += lines.length;
    } catch (error) {
      // A part may have been written: whatever followed it would be damaged.
      this.#fail(error as Error);
    }
  }

  #fail(error: Error): never {
    this.#failure ??= error;
    throw this.#failure;
  }

  #checkOpen(): void {
    if (this.#closing) throw new Error(`The journal ${this.#path} is closed: open it again`);
  }

  /** Checks that the path still names the file, with all that was written and nothing else. */
  #check(): void {
    if (this.#failure) throw this.#failure;
    const { dev, ino } = this.#id;
    const found = statSync(this.#path, { throwIfNoEntry: false });
    const isSame = found?.dev === dev && found.ino === ino;
    if (isSame && found.size === this.#size) return;
    if (isSame && found.size > this.#size) {
      this.#fail(new Error(`${this.#path} is written by another process: run one import with it at a time`));
    }
    const isGone = fstatSync(this.fd).nlink === 0 ? "removed" : "renamed";
    const isOther = found ? "replaced by another file" : isGone;
    this.#fail(new Error(`${this.#path} was ${isSame ? "truncated" : isOther} during the run. ${this.#rescue()}`));
  }

  /** Writes all that is known to another file, which also gets what is recorded from now on. Says what to do. */
  #rescue(): string {
    const rescued = `${this.#path}.rescued`;
    try {
      const fd = openSync(rescued, "ax");
      for (const line of this.#contents()) appendFileSync(fd, line);
      closeSync(fd);
      this.#rescued = rescued;
      return `All that this process knows is in ${rescued}: rename that to ${this.#path} before the next run`;
    } catch (error) {
      return `What this process knows could not be saved${reasonOf(error)}`;
    }
  }

  /** Closes a file that is no journal. */
  abandon(): void {
    closeSync(this.fd);
  }

  /**
   * Brings the last lines to the disk, and closes the file.
   *
   * @throws An Error if that fails, unless a call before has thrown it.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close(this.sync(""), this.#failure);
    return this.#closing;
  }

  async #close(last: Promise<void>, known: Error | undefined): Promise<void> {
    try {
      await last;
    } catch (error) {
      if (error !== known) throw error;
    } finally {
      // Not before: the descriptor may be another file's from here on.
      closeSync(this.fd);
    }
  }
}

/** Node does not sync under `--permission`, not even what may be written. */
function isSyncDenied(fd: number): boolean {
  try {
    fdatasyncSync(fd);
    return false;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_ACCESS_DENIED") return true;
    throw error;
  }
}
