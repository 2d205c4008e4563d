import { type FileHandle, open } from "node:fs/promises";

/**
 * What is known of a plant.
 *
 * - `sent`: a POST may have left. When this is the last word of a run that crashed, the plant may exist.
 * - `created`, `refused`: known for good.
 * - `unknown`: it was sent, and its result is unknown.
 * - `open`: it does not exist, for a reason that is not the plant, so it may be sent again.
 */
export type State = (typeof states)[number];
const states = ["sent", "created", "refused", "unknown", "open"] as const;

/** The first line. No other file begins with it, so that none is changed which is given by mistake. */
const HEADER = '["id of a plant","its state"]\n';

/**
 * A file that records the state of each plant, one JSON line for each change.
 *
 * A line is on the disk before the program goes on, so that a crash does not make it forget a POST.
 */
export class Checkpoint {
  readonly #states: Map<string, State>;
  readonly #file: FileHandle;
  #written = Promise.resolve();

  private constructor(states: Map<string, State>, file: FileHandle) {
    this.#states = states;
    this.#file = file;
  }

  /** Opens a checkpoint, or begins a new one. Throws, and changes nothing, if the file is something else. */
  static async open(path: string): Promise<Checkpoint> {
    const file = await open(path, "a+");
    try {
      const text = await file.readFile("utf8");
      // A crash can cut the header short, too.
      if (!text.startsWith(HEADER) && !HEADER.startsWith(text)) fail(path, 1);
      const lines = text.slice(HEADER.length).split("\n");
      // A crash can cut the last line short. It counts as never written: a POST is sent only after its line is complete.
      const cut = lines.pop() ?? "";
      const entries = lines.map((line, index) => parseLine(line) ?? fail(path, index + 2));
      if (!'["'.startsWith(cut.slice(0, 2))) fail(path, lines.length + 2);
      await file.truncate(Buffer.byteLength(text) - Buffer.byteLength(cut));
      const checkpoint = new Checkpoint(new Map(entries), file);
      await checkpoint.#append(HEADER.slice(text.length));
      return checkpoint;
    } catch (error) {
      await file.close();
      throw error;
    }
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

/** The id and the state in a line; `undefined` if it is not a line of a checkpoint. */
function parseLine(line: string): [string, State] | undefined {
  try {
    const [id, state] = JSON.parse(line);
    return typeof id === "string" && states.includes(state) ? [id, state] : undefined;
  } catch {
    return undefined;
  }
}

function fail(path: string, line: number): never {
  throw new Error(`${path} is not a checkpoint: line ${line} is something else`);
}
