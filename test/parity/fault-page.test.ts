import { expect, it } from "vitest";
import { rowOf } from "../../mock/service/faults/check-fault.ts";
import { read } from "../docs/blocks.ts";
import { rows } from "./fault-rows.ts";

const table = Array.from(read("docs/testing.md").matchAll(/^\| `(\w+)\(.*\)` \| (.*) \| (.*) \|$/gm));

it("the table of faults has each of them, with its effect and what the client reports", () => {
  const expected = Object.values(rows);
  expect(table.map(([, name]) => name)).toEqual(expected.map(({ example }) => example.type));
  for (const [index, { example, kind, outcome, isStored }] of expected.entries()) {
    const [, , effect = "", reports = ""] = table[index] ?? [];
    expect(effect.includes("the plant is stored")).toBe(isStored);
    expect(effect.includes("in memory only")).toBe(rowOf(example).isInMemoryOnly === true);
    if (example.type === "reply") continue;
    expect(reports).toContain(kind === "ok" ? "success" : outcome);
    if (kind !== "ok" && example.type !== "rateLimited") expect(reports).toContain(kind);
  }
});
