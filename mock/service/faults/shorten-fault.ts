import { beginning } from "../sessions/body-text.ts";
import type { Fault } from "./fault.ts";

/** A fault as lists show it: with the beginning of each long text, and without other long values. */
export function shortenFault(fault: Fault): Fault {
  const short: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fault)) {
    if (typeof value === "string") short[name] = beginning(value, MAX_LENGTH);
    else if (JSON.stringify(value).length <= MAX_LENGTH) short[name] = value;
  }
  return short as Fault;
}

const MAX_LENGTH = 1_000;
