import { formatWithOptions } from "node-inspect-extracted";

/** What the blocks above a block print is not its output. */
export const output = { isShown: false };

console.log = (...values) => {
  if (output.isShown) postMessage(formatWithOptions({}, ...values));
};
