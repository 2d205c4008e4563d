import { expect, it } from "vitest";
import { type AdapterName, adapterNames } from "../../mock/service/delivery.ts";
import { definitionOf } from "../../mock/service/faults/fault.ts";
import { rows } from "./fault-rows.ts";

const headings: { readonly [Name in AdapterName]: string } = {
  memory: "in memory",
  msw: "MSW 2 and 3 in Node",
  browser: "MSW service worker",
  http: "HTTP",
};
const adapters = Object.keys(adapterNames) as AdapterName[];

const lines = Object.values(rows).map(({ example, kind, outcome }) => {
  const { type, description, isStored, cannot } = definitionOf(example);
  const cells = adapters.map((adapter) => (cannot.includes(adapter) ? "refused" : "yes"));
  return [`\`${type}\``, description, `\`${kind}\``, `\`${outcome}\``, isStored ? "yes" : "no", ...cells];
});

const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
const columns = [
  ...["fault", "what happens", "client's kind", "client's outcome", "plant stored"],
  ...adapters.map((adapter) => headings[adapter]),
];

const page = `# What the client reports of each fault

A fault means the same on every form of the mock. If a form cannot do it, \`inject\` throws and names one that can, and
so does attaching a form while such a fault is queued. The row of \`reply\` is that of a 500 with HTML; every row is that
of one attempt, without a retry. \`ok\` and \`created\` stand for a call that succeeds.

${line(columns)}
${line(columns.map(() => "---"))}
${lines.map(line).join("\n")}

The rows of the HTTP form are those of clients in Node. A page in Chromium that talks to it meets one more: Chromium sends
a POST a second time by itself when a reused connection ends without a reply, so that \`lostResponse\` and
\`networkError\` end as a 200 after two POSTs. \`truncatedBody\` does not.

The tests in \`test/parity\` run each row on each form. This page is printed from \`mock/service/faults\` and
\`test/parity/fault-rows.ts\` by \`npx vitest run test/parity/fault-page.test.ts -u\`.
`;

it("is shown in docs as it stands in code", async () => {
  await expect(page).toMatchFileSnapshot("../../docs/fault-table.md");
});
