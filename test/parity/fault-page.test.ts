import { expect, it } from "vitest";
import { rowOf } from "../../mock/service/faults/fault.ts";
import { evidencePage, evidenceWith } from "../../scripts/evidence.ts";
import { rows } from "./fault-rows.ts";

const adapters = ["in memory", "MSW 2 and 3 in Node", "MSW service worker", "HTTP"];

const lines = Object.entries(rows).map(([name, { example, kind, outcome, isStored }]) => {
  const { description, isInMemoryOnly } = rowOf(example);
  const cells = adapters.map((adapter) => (isInMemoryOnly && adapter !== "in memory" ? "refused" : "yes"));
  return [`\`${name}\``, description, `\`${kind}\``, `\`${outcome}\``, isStored ? "yes" : "no", ...cells];
});

const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
const columns = [...["fault", "what happens", "client's kind", "client's outcome", "plant stored"], ...adapters];

const section = `A fault has the same effect with every adapter of the mock. Only \`mock.fetch\` can refuse a connection: \`inject\` of any
other mock throws, and with \`createHandlers\` or \`handle\` the request fails and \`verify\` says why. The row of \`reply\`
shows a 500 with HTML, \`reply, stored\` a 502. Every row shows one attempt, without a retry. \`ok\` and \`created\`
mean that the call succeeds.

${line(columns)}
${line(columns.map(() => "---"))}
${lines.map(line).join("\n")}

The HTTP rows apply to clients in Node. A page in Chromium or Firefox differs: if a reused connection ends without a
response, the browser itself sends the POST a second time, so that \`lostResponse\` and \`networkError\` end as a 200 after
two POSTs. \`truncatedBody\` does not. In WebKit, MSW's service worker passes on only complete bodies: \`truncatedBody\`
arrives as a network error without a status, and \`stalledBody\` as no response.

With MSW, a client on \`node:http\` (axios, got) gets a TypeError \`Network error\` for \`networkError\` and
\`lostResponse\`, without the code \`ECONNRESET\` that a socket gives.

The tests in \`test/parity\` run each row with each adapter.
`;

/** `npx vitest run test/parity/fault-page.test.ts -u` writes the table. */
it("is the same in docs and in code", async () => {
  await expect(evidenceWith("adapters", section)).toMatchFileSnapshot(evidencePage);
});
