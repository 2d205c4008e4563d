import { expect, it } from "vitest";
import { rowOf } from "../../mock/service/faults/check-fault.ts";
import { evidencePage, evidenceWith } from "../../scripts/evidence.ts";
import { rows } from "./fault-rows.ts";

const lines = Object.entries(rows).map(([name, { example, kind, outcome, isStored }]) => {
  const label = `\`${name}\`${rowOf(example).isInMemoryOnly ? " (in memory only)" : ""}`;
  return [label, `\`${kind}\``, `\`${outcome}\``, isStored ? "yes" : "no"];
});

const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
const columns = ["fault", "client's kind", "client's outcome", "plant stored"];

const section = `A fault has the same effect in memory, with MSW 2 and 3 in Node, with MSW's service worker, and over HTTP. Only
\`mock.fetch\` can refuse a connection; any other form says so.

${line(columns)}
${line(columns.map(() => "---"))}
${lines.map(line).join("\n")}

Over HTTP, a page in Chromium or Firefox differs: if a reused connection ends without a response, the browser itself
sends the POST again, so that \`lostResponse\` and \`networkError\` end as a 200 after two POSTs. In WebKit, MSW's service
worker passes on only complete bodies: \`truncatedBody\` arrives as a network error without a status, and \`stalledBody\` as
no response.
`;

/** `npx vitest run test/parity/fault-page.test.ts -u` writes the table. */
it("is the same in docs and in code", async () => {
  await expect(evidenceWith("adapters", section)).toMatchFileSnapshot(evidencePage);
});
