// The results of a run, as tables.
import { readFileSync, writeFileSync } from "node:fs";
import { evidencePage, evidenceWith } from "../../scripts/evidence.ts";

/** The differences between the runtimes, in the order of the page. A case of the suite asserts each. */
const DIFFERENCES = [
  ["refused connection: `not-sent`, and retried", ({ provesRefusal }) => yes(provesRefusal)],
  ["no address for the name: `not-sent`, and retried", ({ provesNameFailure }) => yes(provesNameFailure)],
  ["untrusted certificate: `not-sent`", ({ provesTlsFailure }) => yes(provesTlsFailure)],
  ["reset during the TLS handshake: `not-sent`, and retried", ({ provesHandshakeReset }) => yes(provesHandshakeReset)],
  ["https to a server without TLS: `not-sent`", ({ provesMissingTls }) => yes(provesMissingTls)],
  ["status of a redirect", ({ hidesRedirects }) => (hidesRedirects ? "hidden (0)" : "as sent")],
  [
    "POSTs of a call whose reused connection closes",
    ({ postsAgainByItself }) => (postsAgainByItself ? "2 or more" : "1"),
  ],
  ["own User-Agent", ({ namesItself }) => yes(namesItself)],
  ["base URL and token from the environment", ({ hasEnvironment }) => yes(hasEnvironment)],
];

const yes = (value) => (value ? "yes" : "no");

/** Compares the section of docs/evidence.md with the run, or writes it. */
export function checkPage(columns, write) {
  const page = evidenceWith("runtimes", renderSection(columns));
  const name = "docs/evidence.md is up to date";
  if (write) writeFileSync(evidencePage, page);
  const isFresh = readFileSync(evidencePage, "utf8") === page;
  return isFresh ? { name } : { name, problem: "It is stale: npx tsx test/runtimes/run.mjs --write" };
}

/** One column for the runtimes that differ in nothing. */
function groupColumns(columns) {
  const groups = new Map();
  for (const { runtime } of columns) {
    const cells = DIFFERENCES.map(([, tell]) => tell(runtime.traits));
    const key = JSON.stringify(cells);
    groups.set(key, { cells, names: [...(groups.get(key)?.names ?? []), runtime.name] });
  }
  return [...groups.values()];
}

function renderSection(columns) {
  const row = (cells) => `| ${cells.join(" | ")} |`;
  const groups = groupColumns(columns);
  return `One suite runs against the built package on each of them; the columns with undici run it through
\`createUndiciFetch()\`. Everything else is the same on all of them.

${row(["", ...groups.map(({ names }) => names.join("; "))])}
${row(["---", ...groups.map(() => "---")])}
${DIFFERENCES.map(([what], index) => row([what, ...groups.map(({ cells }) => cells[index])])).join("\n")}
`;
}
