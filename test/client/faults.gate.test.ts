import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { evidencePage, evidenceWith } from "../../scripts/evidence.ts";
import { WAIT_MS } from "../time-limits.ts";
import type { Fault, Report } from "./faults/fault.ts";
import { faults } from "./faults/faults.ts";
import type { Seen } from "./faults/run.ts";
import { renderTable } from "./faults/table.ts";

/** Each transport runs in a process that has to end by itself: a socket or a timer that is left keeps it. */
async function runAll(transport: string): Promise<Map<Fault, Seen>> {
  const script = fileURLToPath(new URL("faults/run.ts", import.meta.url));
  const args = ["--import", "tsx", script, transport];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: WAIT_MS, maxBuffer: 2 ** 24 });
  const seen: Seen[] = JSON.parse(stdout);
  expect(seen.map(({ name }) => name)).toEqual(faults.map(({ name }) => name));
  return new Map(faults.map((fault, index) => [fault, seen[index] as Seen]));
}

const seen: Record<string, Map<Fault, Seen>> = {};

beforeAll(async () => {
  const [byFetch, byUndici] = await Promise.all([runAll("fetch"), runAll("undici")]);
  Object.assign(seen, { fetch: byFetch, undici: byUndici });
});

const reportOf = ({ posts, processed, result, outcome, attempts }: Report): Report => ({
  posts,
  processed,
  result,
  outcome,
  attempts,
});

describe.each(["fetch", "undici"])("by %s", (transport) => {
  test.each(faults)("$name", (fault) => {
    const row = seen[transport]?.get(fault) as Seen;
    expect(reportOf(row)).toEqual(reportOf(fault.expected));
    expect({ others: row.others, unhandled: row.unhandled, leftOpen: row.leftOpen }).toEqual({
      others: 0,
      unhandled: [],
      leftOpen: [],
    });
  });

  test("with the default options no plant is processed twice, and no outcome says less than happened", () => {
    for (const fault of faults) {
      const row = seen[transport]?.get(fault) as Seen;
      expect(row.mostProcessed, fault.name).toBeLessThanOrEqual(1);
      if (row.outcome === "not-sent") expect(row.posts, fault.name).toBe(0);
      if (row.outcome === "rejected") expect(row.processed, fault.name).toBe(0);
    }
  });
});

/** `npx vitest run test/client/faults.gate.test.ts -u` writes the table. */
test("the page of evidence shows what was seen", async () => {
  const table = renderTable(faults, seen.fetch as Map<Fault, Seen>);
  await expect(evidenceWith("faults", table)).toMatchFileSnapshot(evidencePage);
});
