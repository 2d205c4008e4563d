import type { Stop } from "./interrupt.ts";

/**
 * Where the program writes: the standard output, and the standard error once the former fails, so that the account of what
 * was sent is not lost. Nobody reads it any longer (`npm start | head -3`), or the disk is full.
 */
export class Output {
  readonly isTerminal = process.stdout.isTTY === true;
  #stream: NodeJS.WriteStream = process.stdout;

  /** @param onFailure called once when the standard output can no longer be written. */
  constructor(onFailure: (stop: Stop) => void) {
    process.stdout.on("error", (error) => {
      if (this.#stream === process.stderr) return;
      this.#stream = process.stderr;
      onFailure(stopAfter(error));
    });
    // Where both end in the same pipe (`2>&1 | head -3`), nobody is left to be told.
    process.stderr.on("error", () => {});
  }

  /** Writes a whole line. */
  line(text: string, onWritten?: (error?: unknown) => void): void {
    this.#stream.write(`${this.isTerminal ? CLEAR_LINE : ""}${text}\n`, onWritten);
  }

  /** Writes whole lines, all of them in the same place: if the standard output fails, on the standard error. */
  async lines(texts: string[]): Promise<void> {
    const stream = this.#stream;
    // One write for each: Node reports nothing if the disk is full after a part of one.
    const errors = await Promise.all(texts.map((text) => new Promise((resolve) => this.line(text, resolve))));
    if (stream === process.stdout && errors.some((error) => error)) process.stderr.write(`${texts.join("\n")}\n`);
  }

  /** Rewrites the last line of a terminal. */
  rewrite(text: string): void {
    const width = process.stdout.columns || 80;
    this.#stream.write(`${CLEAR_LINE}${text.slice(0, width - 1)}`);
  }
}

const CLEAR_LINE = "\r\u001B[K";

/** The exit status of a process that SIGPIPE ended, as shells count it. Windows does not have this signal. */
const AFTER_SIGPIPE = 141;

function stopAfter({ code, message }: NodeJS.ErrnoException): Stop {
  const isClosed = code === "EPIPE" || code === "EOF"; // EOF on Windows.
  if (isClosed) return { reason: "nobody reads the output", status: AFTER_SIGPIPE };
  return { reason: `the output cannot be written: ${message}`, status: 1 };
}
