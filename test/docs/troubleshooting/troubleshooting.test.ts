import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { absolute } from "../blocks.ts";
import { clientGroups } from "./client-rows.ts";
import { mockGroups } from "./mock-rows.ts";
import type { Group, Row } from "./row.ts";

beforeEach(() => {
  vi.stubEnv("PLANT_STORE_BASE_URL", "");
  vi.stubEnv("PLANT_STORE_ALLOW_INSECURE", "");
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** A message in code style, with `…` for what differs from machine to machine: files and ports. */
function shown(message: string): string {
  // A path may have any characters: no pattern finds its end.
  const same = message
    .replace(/(?<= imported from ).+/, "…")
    .replaceAll(absolute("package.json"), "…")
    .replace(/(?<=127\.0\.0\.1(?::|, port ))\d+/g, "…");
  return `\`${same.replaceAll(/\s*\n\s*/g, " ")}\``;
}

/** A heading for each message, so that it has an anchor, and a search finds it first. */
async function entryOf({ produce, meaning, fix }: Row): Promise<string> {
  return `### ${shown(await produce())}\n\n${meaning}\n\n**Fix:** ${fix}\n`;
}

async function sectionOf({ title, rows }: Group): Promise<string[]> {
  const lines = [`## ${title}`, ""];
  for (const row of rows) lines.push(await entryOf(row));
  return lines;
}

it("every message in the guide is printed by a program", async () => {
  const lines: string[] = [];
  for (const group of [...clientGroups, ...mockGroups]) lines.push(...(await sectionOf(group)));
  const page = `# Troubleshooting

<!-- Printed by test/docs/troubleshooting: \`npx vitest run test/docs/troubleshooting -u\` writes it anew. -->

Search this page for the message that you received. Messages that say what to correct are not listed. In code,
distinguish errors by \`kind\`, \`reason\`, \`status\` and \`option\`: a message may change in any version.

${lines.join("\n")}
## Your own route responds with 401, 404 or 429

It did not catch the error of \`createPlant\`, which has the \`status\` of the service. [Handle it](errors-to-http.md).

## No error, but the real service is called

The code under test uses a transport that MSW does not see, such as \`createUndiciFetch()\`, or another process. [Use
another adapter](testing.md#choose-an-adapter).
`;
  await expect(page).toMatchFileSnapshot("../../../docs/troubleshooting.md");
});
