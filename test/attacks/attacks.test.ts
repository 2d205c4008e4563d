import { expect, it } from "vitest";
import type { Attack } from "./attack.ts";
import { clientAttacks } from "./client.attacks.ts";
import { httpAttacks } from "./http.attacks.ts";
import { mockAttacks } from "./mock.attacks.ts";

const seen = async ({ attack, run }: Attack) =>
  `| ${attack} | ${(await run()).replaceAll("|", "\\|").replaceAll("\n", " ")} |`;

async function table(attacks: readonly Attack[]): Promise<string> {
  const lines: string[] = [];
  for (const attack of attacks) lines.push(await seen(attack));
  return ["| attack | what happens |", "| --- | --- |", ...lines].join("\n");
}

it("the page on attacks shows the result of each attack", async () => {
  const page = `# Attacks, and what happens

<!-- Printed by test/attacks/attacks.test.ts: \`npx vitest run test/attacks -u\` writes it anew. -->

Each row is an attack that a test runs, and what it saw. Each was found from outside, on the packed package, and once
did harm.

## On the client

${await table(clientAttacks)}

## On the mock

${await table(mockAttacks)}

## On the mock on a port

${await table(httpAttacks)}
`;
  await expect(page).toMatchFileSnapshot("./attacks.md");
});
