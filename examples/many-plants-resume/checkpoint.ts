import { type FileHandle, open } from "node:fs/promises";

/**
 * What is known of a plant.
 *
 * - `sent`: a POST may have left. When this is the last word of a run that crashed, the plant may exist.
 * - `created`, `refused`: known for good.
 * - `unknown`: it was sent, and its result is unknown.
 * - `open`: it does not exist, for a reason that is not the plant, so it may be sent again.
 */
export type State = "sent" | "created" | "refused" | "unknown" | "open";

/**
 * A file that records the state of each plant, one JSON line for each change.
 *
 * A line is on the disk before the program goes on, so that neither a crash nor a power cut makes it forget a POST.
 */
export class Checkpoint {
  readonly #states: Map<string, State>;
  readonly #file: FileHandle;
  #written = Promise.resolve();

  private constructor(states: Map<string, State>, file: FileHandle) {
    this.#states = states;
    this.#file = file;
  }

  /** Opens a checkpoint, or begins a new one. */
  static async open(path: string): Promise<Checkpoint> {
    const file = await open(path, "a+");
    const text = await file.readFile("utf8");
    const end = text.lastIndexOf("\n") + 1;
    // A crash can cut the last line short. It counts as never written: a POST is sent only after its line is complete.
    await file.truncate(Buffer.byteLength(text.slice(0, end)));
    const lines = text.slice(0, end).split("\n").slice(0, -1);
    return new Checkpoint(new Map(lines.map((line) => JSON.parse(line))), file);
  }

  /** What is known of a plant; `undefined` for one that was never sent. */
  stateOf(id: number | bigint): State | undefined {
    return this.#states.get(`${id}`);
  }

  /** The ids, as text, of all plants in one of these states. */
  idsOf(...states: State[]): string[] {
    return [...this.#states].filter(([, state]) => states.includes(state)).map(([id]) => id);
  }

  /** Writes down a state; resolves when it is on the disk. */
  write(id: number | bigint, state: State): Promise<void> {
    this.#states.set(`${id}`, state);
    // One after the other: the sending side and the receiving side of an import both write.
    this.#written = this.#written.then(() => this.#append(`${JSON.stringify([`${id}`, state])}\n`));
    return this.#written;
  }

  async #append(line: string): Promise<void> {
    await this.#file.appendFile(line);
    await this.#file.datasync();
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}
