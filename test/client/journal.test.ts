import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NewPlant } from "plant-store-client";
import { openJournal } from "plant-store-client/journal";
import { describe, expect, onTestFinished, test } from "vitest";

const baseUrl = "https://plants.example/v1";
const FERN: NewPlant = { id: 1, name: "Fern", tag: "indoor" };

/** A path for a journal that does not exist yet. */
function newPath() {
  const folder = mkdtempSync(join(tmpdir(), "journal-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "import.journal");
}

async function opened(path: string) {
  const journal = await openJournal(path, { baseUrl });
  onTestFinished(() => journal.close().catch(() => {}));
  return journal;
}

/** What a later process reads of a plant. */
async function stateOf(path: string, index: number, plant = FERN) {
  const journal = await openJournal(path, { baseUrl });
  try {
    return await journal.claim(index, plant);
  } finally {
    await journal.close();
  }
}

test("is a text file: a header, a line before each try, and a line after", async () => {
  const path = newPath();
  const journal = await opened(path);
  expect(await journal.claim(0, FERN)).toBeUndefined();
  journal.record(0, "created");
  await journal.claim(17, FERN);
  journal.record(17, "rejected");
  await journal.claim(18, FERN);
  journal.record(18, "unknown");
  const [, fingerprint] = /^0 ([0-9a-f]{8})$/m.exec(readFileSync(path, "utf8")) ?? [];
  expect(readFileSync(path, "utf8")).toBe(
    `plant-store-journal 1 ${baseUrl}\n0 ${fingerprint}\n0 +\n17 ${fingerprint}\n17 -\n18 ${fingerprint}\n`,
  );
  expect([...journal.created()]).toEqual([0]);
});

test.each([
  ["created", "created"],
  ["unknown", "unknown"],
  ["rejected", undefined],
  ["not-sent", undefined],
] as const)(
  "a plant recorded as %s is %s for the next run, in the same process and in another",
  async (outcome, state) => {
    const path = newPath();
    const journal = await opened(path);
    await journal.claim(3, FERN);
    journal.record(3, outcome);
    await journal.close();
    expect(await stateOf(path, 3)).toBe(state);
    const again = await opened(path);
    // The claim of the line before was never recorded.
    expect(await again.claim(3, FERN)).toBe(state ?? "unknown");
  },
);

test("a plant is the same with null for an absent field, and with a bigint for a number", async () => {
  const path = newPath();
  const journal = await opened(path);
  await journal.claim(0, { id: 1, name: "Fern" });
  journal.record(0, "created");
  expect(journal.claim(0, { id: 1n, name: "Fern", tag: null } as never)).toBe("created");
  for (const other of [{ id: 2, name: "Fern" }, { id: 1, name: "Fir" }, FERN])
    expect(() => journal.claim(0, other)).toThrow("The plant with index 0 is not the one that");
});

test("an invalid plant has a line, too, and may be corrected", async () => {
  const journal = await opened(newPath());
  for (const invalid of [{ id: "1l36", name: "Zea mays" }, null, { id: 1.5 }]) {
    expect(await journal.claim(0, invalid as never)).toBeUndefined();
    journal.record(0, "not-sent");
  }
  expect(await journal.claim(0, FERN)).toBeUndefined();
  journal.record(0, "created");
  expect(journal.claim(0, FERN)).toBe("created");
});

describe("a line that a kill cut short", () => {
  test.each([
    ["5 0123", undefined],
    ["5 01234567\n5 ", "unknown"],
    ["5", undefined],
    ["\0\0\0", undefined],
    ["5 01234567\n5 -\n5 +\n5 -\n5 x\n9 +", "created"],
  ])("is kept and ignored: %j", async (lines, state) => {
    const path = newPath();
    await (await openJournal(path, { baseUrl })).close();
    appendFileSync(path, lines);
    const journal = await opened(path);
    expect([...journal.created()]).toEqual(state === "created" ? [5] : []);
    if (state === undefined) expect(await journal.claim(5, FERN)).toBeUndefined();
    else expect(() => journal.claim(5, FERN)).toThrow("keep the order");
    expect(readFileSync(path, "utf8")).toContain(lines);
  });

  test("may be the header", async () => {
    const path = newPath();
    await (await openJournal(path, { baseUrl })).close();
    for (const length of [0, 1, 20]) {
      truncateSync(path, length);
      await (await openJournal(path, { baseUrl })).close();
      expect(readFileSync(path, "utf8")).toBe(`plant-store-journal 1 ${baseUrl}\n`);
    }
  });
});

test("the journal of another base URL is refused, and so is another file", async () => {
  const path = newPath();
  await (await openJournal(path, { baseUrl: new URL(`${baseUrl}/`) })).close();
  await expect(openJournal(path, { baseUrl: "https://sandbox.example" })).rejects.toThrow(
    `${path} is the journal of ${baseUrl}, not of https://sandbox.example: use another file`,
  );
  writeFileSync(path, "id,name\n");
  await expect(openJournal(path, { baseUrl })).rejects.toThrow(`${path} is not a journal of this version`);
  await expect(openJournal(path, { baseUrl: "plants" })).rejects.toMatchObject({ kind: "config", option: "baseUrl" });
});

test("what a person found out is recorded; a plant that was created stays created", async () => {
  const path = newPath();
  const journal = await opened(path);
  for (const index of [0, 1, 2]) await journal.claim(index, FERN);
  journal.record(0, "created");
  await journal.resolve(1, { exists: true });
  await journal.resolve(2, { exists: false });
  await expect(journal.resolve(0, { exists: false })).rejects.toThrow("was created: there is nothing to resolve");
  await expect(journal.resolve(1, { exists: false })).rejects.toThrow("was created");
  await expect(journal.resolve(9, { exists: false })).rejects.toThrow("was never sent");
  await expect(journal.resolve(2, true as never)).rejects.toThrow("exists must be true or false, not undefined");
  await journal.close();
  expect([await stateOf(path, 1), await stateOf(path, 2)]).toEqual(["created", undefined]);
});

test("of two processes with one file, one at least stops before it sends", async () => {
  const path = newPath();
  const one = await opened(path);
  const other = await opened(path);
  const message = `${path} is written by another process: run one import with it at a time`;
  expect(await one.claim(0, FERN)).toBeUndefined();
  expect(() => other.claim(0, FERN)).toThrow(message);
  const claim = one.claim(1, FERN);
  // At the same moment as the line of the first, so that neither saw the other's.
  appendFileSync(path, "1 01234567\n");
  await expect(claim).rejects.toThrow(message);
  expect(() => one.record(0, "created")).toThrow(message);
});

test("a line that another process writes while the journal is being opened is known, or noticed", async () => {
  for (let tries = 0; tries < 20; tries++) {
    const path = newPath();
    const one = await opened(path);
    const opening = opened(path);
    const state = { isOpen: false };
    const settled = opening.finally(() => {
      state.isOpen = true;
    });
    let count = 0;
    for (; !state.isOpen; count++) {
      void Promise.resolve(one.claim(count, FERN)).catch(() => {});
      await new Promise((resolve) => setImmediate(resolve));
    }
    const other = await settled;
    for (let index = 0; index < count; index++) {
      const answer = await (async () => other.claim(index, FERN))().catch((error: Error) => error.message);
      expect(answer).toMatch(/^unknown$|is written by another process/);
    }
  }
});
