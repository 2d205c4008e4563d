/** Shows how far an import is: in a terminal in one line, elsewhere in a new line every ten seconds. */
export class Progress {
  readonly #total: number;
  readonly #before: number;
  readonly #startedAt = performance.now();
  readonly #isTerminal = process.stdout.isTTY;
  #shownAt = performance.now();

  /**
   * @param total - The lines of the list.
   * @param before - How many plants earlier runs have created.
   */
  constructor(total: number, before: number) {
    this.#total = total;
    this.#before = before;
  }

  /** @param done - The lines of this run that have a result. */
  show(done: number): void {
    const now = performance.now();
    if (now - this.#shownAt < (this.#isTerminal ? 250 : 10_000)) return;
    this.#shownAt = now;
    const text = describeProgress(this.#before + done, this.#total, done / ((now - this.#startedAt) / 1000));
    if (this.#isTerminal) process.stdout.write(`\r${text}\x1b[K`);
    else console.log(text);
  }

  /** Prints a line in the place of the progress. */
  log(text: string): void {
    if (this.#isTerminal) process.stdout.write("\r\x1b[K");
    console.log(text);
  }
}

/** `[#####     ] 50 %, 1000 of 2000, 200 per second, 5 s left` */
export function describeProgress(done: number, total: number, perSecond: number): string {
  const share = Math.min(1, done / Math.max(1, total));
  const bar = "#".repeat(Math.round(share * 20)).padEnd(20);
  const seconds = Math.ceil(Math.max(0, total - done) / perSecond);
  const left = seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `[${bar}] ${Math.floor(share * 100)} %, ${done} of ${total}, ${Math.round(perSecond)} per second, ${left} left`;
}
