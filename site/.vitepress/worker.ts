import { formatWithOptions } from "node-inspect-extracted";

let isShown = false;

/** The block itself begins: what the blocks above it print is not its output. */
export function begin(): void {
  isShown = true;
}

export function end(): void {
  postMessage({ isOver: true });
}

for (const method of ["log", "info", "warn", "error"] as const) {
  console[method] = (...values: unknown[]) => {
    if (isShown) postMessage({ line: formatWithOptions({}, ...values) });
  };
}
