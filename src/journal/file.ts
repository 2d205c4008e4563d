import { appendFileSync, closeSync, constants, existsSync, fdatasync, fstatSync, openSync, statSync } from "node:fs";
import { promisify } from "node:util";
import { reasonOf } from "../checks/thrown.ts";

const { O_APPEND, O_CREAT, O_DSYNC, O_RDWR } = constants;

const bringToDisk = promisify(fdatasync);

/** The file of a journal, to which lines are only added. */
export class AppendOnlyFile {
  /** Node does not sync under `--permission`, not even what may be written: each write goes to the disk by itself. */
  readonly #isSynchronous = process.permission !== undefined;
  /** A number, because a FileHandle that nobody closed ends the process. */
  readonly #fd: number;
  /** The size that the file has if nobody else writes it. */
  #size: number;
  /** Why no plant may be sent any more. */
  #failure: Error | undefined;
  /** The file that has been written instead of this one. */
  #rescued: string | undefined;
  #closing: Promise<void> | undefined;

  /** The lines for the next write to the disk, and the last one that was asked for. */
  #lines = "";
  #syncing: Promise<void> = Promise.resolve();

  /**
   * Opens the file, or creates it.
   *
   * @param read - Reads it, and returns what is missing at its end.
   * @param contents - All that is known, for another file if this one is lost.
   */
  constructor(
    private readonly path: string,
    read: (fd: number) => string,
    private readonly contents: () => Iterable<string>,
  ) {
    const rescued = `${path}.rescued`;
    if (existsSync(rescued))
      throw new Error(`${rescued} was saved when ${path} was lost: rename it to that, or delete it`);
    this.#fd = openSync(path, O_RDWR | O_APPEND | O_CREAT | (this.#isSynchronous ? O_DSYNC : 0));
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
  append(line: string): void | Promise<void> {
    this.#checkOpen();
    if (this.#rescued) return appendFileSync(this.#rescued, line);
    // Together with others, because such a write takes long.
    if (this.#isSynchronous) return this.sync(line);
    this.#check();
    this.#write(line);
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
    if (!this.#isSynchronous) await bringToDisk(this.#fd).catch((error) => this.#fail(error));
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

  #fail(error: Error): never {
    this.#failure ??= error;
    throw this.#failure;
  }

  #checkOpen(): void {
    if (this.#closing) throw new Error(`The journal ${this.path} is closed: open it again`);
  }

  /** Checks that the path still names the file, with all that was written and nothing else. */
  #check(): void {
    if (this.#failure) throw this.#failure;
    const found = statSync(this.path, { throwIfNoEntry: false });
    const { dev, ino, nlink } = fstatSync(this.#fd);
    const isSame = found?.dev === dev && found.ino === ino;
    if (isSame && found.size === this.#size) return;
    if (isSame && found.size > this.#size) {
      this.#fail(new Error(`${this.path} is written by another process: run one import with it at a time`));
    }
    const isGone = nlink === 0 ? "removed" : "renamed";
    const isOther = found ? "replaced by another file" : isGone;
    this.#fail(new Error(`${this.path} was ${isSame ? "truncated" : isOther} during the run. ${this.#rescue()}`));
  }

  /** Writes all that is known to another file, which also gets what is recorded from now on. Says what to do. */
  #rescue(): string {
    const rescued = `${this.path}.rescued`;
    try {
      const fd = openSync(rescued, "ax");
      for (const line of this.contents()) appendFileSync(fd, line);
      closeSync(fd);
      this.#rescued = rescued;
      return `All that this process knows is in ${rescued}: rename that to ${this.path} before the next run`;
    } catch (error) {
      return `What this process knows could not be saved${reasonOf(error)}`;
    }
  }

  /**
   * Brings the last lines to the disk, and closes the file.
   *
   * @throws An Error if that fails, unless a call before has thrown it.
   */
  close(): Promise<void> {
    this.#closing ??= (this.#failure ? this.#syncing.catch(() => {}) : this.sync(""))
      // Not before: the descriptor may be another file's from here on.
      .finally(() => closeSync(this.#fd));
    return this.#closing;
  }
}
