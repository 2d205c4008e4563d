import type { Fault, Group, Report } from "./fault.ts";

/** Each fault with its results over both transports. */
export function renderTables(groups: readonly Group[], seen: ReadonlyMap<Fault, Report>): string {
  return `${INTRODUCTION}
${groups.map((group) => renderGroup(group, seen)).join("\n")}
`;
}

const INTRODUCTION = `Each row is a fault on a real socket, one \`tryCreatePlant\` with the default options (a deadline of 100 ms where the
row is about the deadline), and what a counting service saw: how many POSTs it read, and how many of them
it processed. The test runs every row with the global \`fetch\` and with
\`createUndiciFetch()\`; both give the same result.

- In no row does the service process one plant twice.
- The outcome is \`not-sent\` only if the service read nothing, and \`rejected\` only if it processed nothing.
- No row leaves an unhandled rejection, a socket or a timer behind.

¹ An earlier call had created a plant at the same address. Without one, Node's own \`fetch\` proves nothing in these rows:
the outcome is \`unknown\`, after one attempt. \`createUndiciFetch()\` needs no earlier call.
`;

function renderGroup({ title, faults }: Group, seen: ReadonlyMap<Fault, Report>): string {
  const rows = faults.map((fault) => {
    const { posts, processed, result, outcome, attempts } = seen.get(fault) ?? fault.expected;
    return `| ${fault.name}${fault.isKnown ? " ¹" : ""} | ${posts} | ${processed} | ${result} | ${outcome} | ${attempts} |`;
  });
  return `### ${title}

| fault | POSTs seen | processed | kind | outcome | attempts |
|---|---|---|---|---|---|
${rows.join("\n")}
`;
}
