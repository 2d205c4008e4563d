import type { Account } from "./account.ts";
import type { Output } from "./output.ts";
import { countsOf } from "./summary.ts";

/**
 * Shows the progress: on a terminal one line that is rewritten, elsewhere (a file, a CI log) a plain line now and then,
 * in steps that grow with the list.
 */
export function createProgress(output: Output): (account: Account) => void {
  let shownAt = 0;
  return (account) => {
    const { settled, lastSettled, unit } = account;
    const text = `${unit} ${lastSettled}: ${countsOf(account)}`;
    if (output.isTerminal) {
      const now = performance.now();
      if (now - shownAt < REWRITE_EVERY_MS) return;
      shownAt = now;
      output.rewrite(text);
    } else if (settled % stepOf(settled) === 0) {
      output.line(text);
    }
  };
}

const REWRITE_EVERY_MS = 50;

/** 100, 200, … 1000, 2000, … 10000, 20000, … */
function stepOf(settled: number): number {
  return Math.max(100, 10 ** Math.floor(Math.log10(settled)));
}
