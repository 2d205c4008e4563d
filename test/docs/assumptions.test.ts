import { expect, it } from "vitest";
import { absolute, read } from "./blocks.ts";

const page = "docs/contract-and-assumptions.md";

/** `npx vitest run test/docs/assumptions.test.ts -u` copies the table. */
it("the guide on the contract shows the table of assumptions from the code", async () => {
  const table = /^\| name \|[\s\S]*?(?=\n\n)/m.exec(read("docs/mock-assumptions.md"))?.[0] ?? "";
  expect(table.split("\n").length).toBeGreaterThan(10);
  const [before = "", after = ""] = read(page).split(/<!-- assumptions -->[\s\S]*<!-- \/assumptions -->/);
  const shown = `${before}<!-- assumptions -->\n\n${table}\n\n<!-- /assumptions -->${after}`;
  await expect(shown).toMatchFileSnapshot(absolute(page));
});
