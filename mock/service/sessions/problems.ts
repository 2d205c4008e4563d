/** Problems for `verify` to report. A long run keeps only the first 20 different ones, and counts the others. */
export class Problems {
  readonly #counts = new Map<string, { fix: string; count: number }>();
  #unlisted = 0;

  add(problem: string, fix: string): void {
    const known = this.#counts.get(problem);
    if (known !== undefined) known.count++;
    else if (this.#counts.size < LISTED) this.#counts.set(problem, { fix, count: 1 });
    else this.#unlisted++;
  }

  /** One line per problem: the problem, its count, and the fix. */
  get lines(): string[] {
    const lines = [...this.#counts].map(([problem, { fix, count }]) => line(problem, fix, count));
    if (this.#unlisted > 0) lines.push(`and ${this.#unlisted} more problems like these`);
    return lines;
  }
}

/** How many problems of one kind a message lists; it counts the others. */
export const LISTED = 20;

function line(problem: string, fix: string, count: number): string {
  return `${problem}${count > 1 ? ` (${count} times)` : ""}: ${fix}`;
}
