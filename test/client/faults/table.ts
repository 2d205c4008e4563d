import type { Fault, Report } from "./fault.ts";

/** Each fault with its results over both transports. */
export function renderTable(faults: readonly Fault[], seen: ReadonlyMap<Fault, Report>): string {
  return `${INTRODUCTION}
| fault | POSTs seen | processed | kind | outcome | attempts |
|---|---|---|---|---|---|
${renderRows(faults, seen)}
`;
}

const INTRODUCTION = `Each fault is on a real socket: one \`tryCreatePlant\` with the default options (a deadline of 100 ms if the
fault is about the deadline), and what a counting service saw. The global \`fetch\` and \`createUndiciFetch()\` give the same
result.

- In no row does the service process one plant twice.
- The outcome is \`not-sent\` only if the service read nothing, and \`rejected\` only if it processed nothing.
- No row leaves an unhandled rejection, a socket or a timer behind.

¹ An earlier call had created a plant at the same address. Without one, Node's own \`fetch\` proves nothing in these rows:
the outcome is \`unknown\`, after one attempt. \`createUndiciFetch()\` needs no earlier call.
`;

/** Faults with the same result share a row. */
function renderRows(faults: readonly Fault[], seen: ReadonlyMap<Fault, Report>): string {
  const rows = new Map<string, string[]>();
  for (const fault of faults) {
    const { posts, processed, result, outcome, attempts } = seen.get(fault) ?? fault.expected;
    const key = [posts, processed, result, outcome, attempts].join(" | ");
    const name = `${fault.name}${fault.isKnown ? " ¹" : ""}`;
    rows.set(key, [...(rows.get(key) ?? []), name]);
  }
  return Array.from(rows, ([key, names]) => `| ${names.join("; ")} | ${key} |`).join("\n");
}
