import {
  appendFileSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NewPlant } from "plant-store-client";
import { fingerprintOf, openJournal } from "plant-store-client/journal";
import { describe, expect, onTestFinished, test, vi } from "vitest";

const baseUrl = "https://plants.example/v1";
const HEADER = `plant-store-journal 2 ${baseUrl}\n`;
const plant = (id: number | bigint): NewPlant => ({ id, name: "Fern", tag: "indoor" });

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

/** A journal in which plant 1 is created, 2 unclear and 3 rejected. */
async function written(path = newPath()) {
  const journal = await openJournal(path, { baseUrl });
  for (const id of [1, 2, 3]) await journal.claim(plant(id));
  journal.record(plant(1), "created");
  journal.record(plant(2), "unknown");
  journal.record(plant(3), "rejected");
  await journal.close();
  return path;
}

/** What a later process reads of some plants. */
async function statesOf(path: string, ...plants: NewPlant[]) {
  await using journal = await openJournal(path, { baseUrl });
  return await Promise.all(plants.map((each) => journal.claim(each)));
}

test("is a text file: a header, a line before each try, and a line after, each with a checksum", async () => {
  const lines = readFileSync(await written(), "utf8").split("\n");
  expect(fingerprintOf(plant(1))).toBe("1e5e292ae6ecfd");
  expect(lines).toEqual([
    HEADER.trim(),
    "1 1e5e292ae6ecfd ? 449aa14c",
    "2 1e5e292ae6ecfd ? 722b32f3",
    "3 1e5e292ae6ecfd ? 9d4252b6",
    "1 1e5e292ae6ecfd + 509ab430",
    "3 1e5e292ae6ecfd - 8b423660",
    "",
  ]);
});

test("a created plant is created, a sent one unknown, and one that is not created may be sent and corrected", async () => {
  const states = await statesOf(await written(), plant(1), plant(2), { id: 3, name: "Fir" }, plant(4));
  expect(states).toEqual(["created", "unknown", undefined, undefined]);
});

test("a created plant with other fields is changed; an unclear one stays unclear, even with other fields", async () => {
  const path = await written();
  expect(await statesOf(path, { id: 1, name: "Fir", tag: "indoor" }, { id: 1, name: "Fern" })).toEqual([
    "changed",
    "changed",
  ]);
  expect(await statesOf(path, { id: 2, name: "Fir" })).toEqual(["unknown"]);
});

test("a plant is the same with null for an absent tag, with fields that are not sent, and with a bigint for a number", async () => {
  const journal = await opened(newPath());
  await journal.claim({ id: 1, name: "Fern" });
  journal.record({ id: 1, name: "Fern" }, "created");
  const same = { id: 1n, name: "Fern", tag: null, row: 7 };
  expect(journal.claim(same)).toBe("created");
  expect(journal.claim({ id: 1, name: "Fern", tag: "" })).toBe("changed");
});

test("ids beyond 2^53 and below zero are exact", async () => {
  const path = newPath();
  const ids = [2n ** 53n, 2n ** 53n + 1n, -(2n ** 63n), -1];
  await using journal = await openJournal(path, { baseUrl });
  for (const id of ids) {
    expect(await journal.claim(plant(id))).toBeUndefined();
    journal.record(plant(id), "created");
  }
  expect([...(await opened(path)).created()]).toEqual(ids);
});

test("a long file is read to its end: each of 8,000 plants is known", async () => {
  const path = newPath();
  const plants = Array.from({ length: 8_000 }, (_, id) => ({ id, name: `Fern ${id}` }));
  const journal = await opened(path);
  for (const plant of plants) journal.record(plant, "created");
  await journal.close();
  const again = await opened(path);
  expect(plants.filter((plant) => again.claim(plant) !== "created")).toEqual([]);
});

test("a plant with an invalid id cannot be claimed", async () => {
  const journal = await opened(newPath());
  for (const id of ["1l36", 1.5, 2n ** 63n]) {
    expect(() => journal.claim({ id, name: "Zea mays" } as never)).toThrow(
      "id must be an integer from -9223372036854775808",
    );
  }
});

test("what a person found out is recorded; a plant that was created stays created", async () => {
  const path = newPath();
  const journal = await opened(path);
  for (const id of [0, 1, 2]) await journal.claim(plant(id));
  journal.record(plant(0), "created");
  await journal.resolve(1n, { exists: true });
  await journal.resolve(2, { exists: false });
  journal.record(plant(0), "rejected");
  for (const id of [0, 1, 9])
    await expect(journal.resolve(id, { exists: false })).rejects.toThrow(`The plant with id ${id} is not unclear`);
  await expect(journal.resolve(2, true as never)).rejects.toThrow("exists must be true or false, not undefined");
  await journal.close();
  expect(await statesOf(path, plant(0), plant(1), plant(2))).toEqual(["created", "created", undefined]);
});

test("what is unclear is listed, and can be settled meanwhile; what this process is creating is not in the list", async () => {
  const journal = await opened(await written());
  for (const id of [5, 6, 7]) await journal.claim(plant(id));
  journal.record(plant(6), "unknown");
  journal.record(plant(7), "created");
  const asked: (number | bigint)[] = [];
  for (const id of journal.unclear()) {
    asked.push(id);
    await journal.resolve(id, { exists: id === 6 });
  }
  expect(asked).toEqual([2, 6]);
  expect([...journal.unclear()]).toEqual([]);
  expect([...journal.created()]).toEqual([1, 6, 7]);
});

test("a plant whose claim fails is not in flight, nor unclear", async () => {
  const path = newPath();
  const journal = await opened(path);
  rmSync(path);
  await expect(journal.claim(plant(1))).rejects.toThrow(`${path} was removed`);
  expect([...journal.unclear()]).toEqual([]);
});

test("a relative path is resolved when the journal is opened: the process may change its folder", async () => {
  const path = newPath();
  const folder = process.cwd();
  // Workers of Vitest have no folder of their own.
  const cwd = vi.spyOn(process, "cwd").mockReturnValue(join(path, ".."));
  const journal = await opened("import.journal");
  cwd.mockReturnValue(folder);
  expect(await journal.claim(plant(1))).toBeUndefined();
  await journal.close();
  expect(await statesOf(path, plant(1))).toEqual(["unknown"]);
});

test("a plant that is created after all is recorded, even if somebody has resolved it meanwhile", async () => {
  const journal = await opened(newPath());
  await journal.claim(plant(1));
  await journal.resolve(1, { exists: false });
  journal.record(plant(1), "created");
  expect(journal.claim(plant(1))).toBe("created");
});

test("the journal of another base URL or version is refused, and so is another file", async () => {
  const path = await written();
  await expect(openJournal(path, { baseUrl: "https://sandbox.example" })).rejects.toThrow(
    `${path} is not a journal of this store and version: it begins with "${HEADER.trim()}", not with "plant-store-journal 2 https://sandbox.example". Finish its import as it began, or use another file`,
  );
  await expect(openJournal(path, { baseUrl: "plants" })).rejects.toMatchObject({ kind: "config", option: "baseUrl" });
  for (const [text, problem] of [
    ["id,name\n", 'is not a journal of this store and version: it begins with "id,name"'],
    ["\0".repeat(2_000_000), 'is not a journal of this store and version: it begins with "\\u0000'],
    [`plant-store-journal 1 ${baseUrl}\n0 01234567\n0 +\n`, "is not a journal of this store and version"],
  ] as const) {
    writeFileSync(path, text);
    await expect(openJournal(path, { baseUrl })).rejects.toThrow(`${path} ${problem}`);
  }
});

describe("the end of a file that was torn", () => {
  const text = async () => readFileSync(await written(), "utf8");

  test("by a kill at any byte is marked when it is opened, and ignored", async () => {
    const whole = `${await text()}8 1e5e torn\n`;
    const path = newPath();
    for (let length = 0; length <= whole.length; length++) {
      writeFileSync(path, whole.slice(0, length));
      // A line counts without its line break, too.
      const lines = `${whole.slice(0, length)}\n`.match(/^\d \w{14} . \w{8}$/gm) ?? [];
      const signs = lines.map((line) => (line[0] as string) + line[17]);
      const expected = [1, 2, 3].map((id) => {
        if (signs.includes(`${id}+`)) return "created";
        return signs.includes(`${id}?`) && !signs.includes(`${id}-`) ? "unknown" : undefined;
      });
      expect({ length, states: await statesOf(path, plant(1), plant(2), plant(3)) }).toEqual({
        length,
        states: expected,
      });
      // The torn end is marked by now, and what was claimed for this question is known, too.
      expect(await statesOf(path, plant(1), plant(2), plant(3))).toEqual(expected.map((state) => state ?? "unknown"));
    }
  });

  test("by a power cut, which leaves NUL bytes, is marked when it is opened, and ignored", async () => {
    const path = newPath();
    for (const end of ["\0\0\0", "8\0\0\0", "8 1e5e\0\0\0", "8 1e5e292ae6ecfd + 821d2a8d\0", "8 1e5e\0 to"]) {
      writeFileSync(path, `${await text()}${end}`);
      // Marked at the first time, and read at the second.
      await (await openJournal(path, { baseUrl })).close();
      expect(await statesOf(path, plant(1), plant(2), plant(8))).toEqual(["created", "unknown", undefined]);
      expect(readFileSync(path, "utf8")).toContain(`${end} torn\n`);
    }
  });
});

describe("a damaged file", () => {
  test("is refused with the number of its first bad line, and what to do", async () => {
    const path = await written();
    const lines = readFileSync(path, "utf8").split("\n");
    lines[2] += "x";
    lines[4] += "x";
    writeFileSync(path, lines.join("\n"));
    await expect(openJournal(path, { baseUrl })).rejects.toThrow(
      `${path} is damaged in line 3, so nobody knows which plants were sent. Look them up in the store, and import those that are missing with a new journal`,
    );
  });

  test("by any single change is refused, or no created plant is sent", async () => {
    const whole = readFileSync(await written());
    const path = newPath();
    for (let at = 0; at < whole.length; at++) {
      for (const byte of [0, (whole[at] as number) ^ 1]) {
        const bytes = Buffer.from(whole);
        bytes[at] = byte;
        writeFileSync(path, bytes);
        const created = await openJournal(path, { baseUrl }).then(
          async (journal) => {
            await journal.close();
            return [...journal.created()];
          },
          () => [1],
        );
        expect({ at, byte, created }).toEqual({ at, byte, created: [1] });
      }
    }
  });

  test("by a removed line break is refused", async () => {
    const path = newPath();
    const whole = readFileSync(await written(), "utf8");
    for (let at = HEADER.length; at < whole.length - 1; at++) {
      if (whole[at] !== "\n") continue;
      writeFileSync(path, whole.slice(0, at) + whole.slice(at + 1));
      await expect(openJournal(path, { baseUrl })).rejects.toThrow("is damaged in line");
    }
  });
});

describe("while it is in use, the file", () => {
  /** The journal of a run in which plant 1 is created, 2 in flight, and 3 about to be claimed. */
  async function inUse() {
    const path = newPath();
    const journal = await opened(path);
    for (const id of [1, 2]) await journal.claim(plant(id));
    journal.record(plant(1), "created");
    return { path, journal };
  }

  test.each([
    ["renamed", (path: string) => renameSync(path, `${path}.1`)],
    ["removed", (path: string) => rmSync(path)],
    ["truncated", (path: string) => truncateSync(path, 60)],
    [
      "replaced by another file",
      (path: string) => {
        copyFileSync(path, `${path}.tmp`);
        renameSync(`${path}.tmp`, path);
      },
    ],
  ])("was %s: no plant is sent, and what is known is saved for the next run, which needs it", async (what, change) => {
    const { path, journal } = await inUse();
    change(path);
    const rescued = `${path}.rescued`;
    const message = `${path} was ${what} during the run. All that this process knows is in ${rescued}: rename that to ${path} before the next run`;
    await expect(journal.claim(plant(3))).rejects.toThrow(message);
    await expect(journal.claim(plant(4))).rejects.toThrow(message);
    journal.record(plant(2), "created");
    await journal.close();
    await expect(openJournal(path, { baseUrl })).rejects.toThrow(
      `${rescued} was saved when ${path} was lost: rename it to that, or delete it`,
    );
    renameSync(rescued, path);
    expect(await statesOf(path, plant(1), plant(2), plant(3))).toEqual(["created", "created", undefined]);
  });

  test("was removed, which a record or the end notices first: nothing is lost either", async () => {
    for (const notice of ["record", "close"] as const) {
      const { path, journal } = await inUse();
      rmSync(path);
      if (notice === "record") expect(() => journal.record(plant(2), "created")).toThrow(`${path} was removed`);
      else await expect(journal.close()).rejects.toThrow(`${path} was removed`);
      await journal.close().catch(() => {});
      renameSync(`${path}.rescued`, path);
      const state = notice === "record" ? "created" : "unknown";
      expect(await statesOf(path, plant(1), plant(2))).toEqual(["created", state]);
    }
  });

  test("was removed with its folder: the error says that nothing could be saved", async () => {
    const { path, journal } = await inUse();
    rmSync(join(path, ".."), { recursive: true });
    await expect(journal.claim(plant(3))).rejects.toThrow(
      /was removed during the run. What this process knows could not be saved: ENOENT/,
    );
  });

  test("was removed, and what another run has saved is there: that is kept", async () => {
    const { path, journal } = await inUse();
    writeFileSync(`${path}.rescued`, "saved");
    rmSync(path);
    await expect(journal.claim(plant(3))).rejects.toThrow("could not be saved: EEXIST");
    expect(readFileSync(`${path}.rescued`, "utf8")).toBe("saved");
  });

  test("is written by another process: of two, one at least stops before it sends", async () => {
    const path = newPath();
    const one = await opened(path);
    const other = await opened(path);
    const message = `${path} is written by another process: run one import with it at a time`;
    expect(await one.claim(plant(0))).toBeUndefined();
    await expect(other.claim(plant(0))).rejects.toThrow(message);
    expect(readFileSync(path, "utf8")).toMatch(/^.*\n0 \w{14} \? \w{8}\n$/);
    const claim = one.claim(plant(1));
    // At the same moment as the line of the first, so that neither saw the other's.
    await null;
    await null;
    appendFileSync(path, "1 1e5e292ae6ecfd ? 00000000\n");
    await expect(claim).rejects.toThrow(message);
    expect(() => one.record(plant(0), "created")).toThrow(message);
  });

  test("is read by another process while a line is written: the line is known, or noticed", async () => {
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
        void Promise.resolve(one.claim(plant(count))).catch(() => {});
        await new Promise((resolve) => setImmediate(resolve));
      }
      const other = await settled;
      for (let id = 0; id < count; id++) {
        const answer = await (async () => other.claim(plant(id)))().catch((error: Error) => error.message);
        expect(answer).toMatch(/^unknown$|is written by another process/);
      }
    }
  });
});

test("a closed journal refuses to be used, and can be closed again", async () => {
  const path = newPath();
  const journal = await opened(path);
  await journal.claim(plant(2));
  const claim = journal.claim(plant(1));
  await Promise.all([journal.close(), journal[Symbol.asyncDispose]()]);
  expect(await claim).toBeUndefined();
  const message = `The journal ${path} is closed: open it again`;
  await expect((async () => journal.claim(plant(3)))()).rejects.toThrow(message);
  expect(() => journal.record(plant(1), "created")).toThrow(message);
  await expect(journal.resolve(2, { exists: true })).rejects.toThrow(message);
});

test("an object that has changed since its claim is recorded as it was claimed", async () => {
  const journal = await opened(newPath());
  await journal.claim(plant(1));
  journal.record({ id: 1, name: "Ficus" }, "created");
  expect(journal.claim(plant(1))).toBe("created");
});

test("a plant that is recorded as created twice is listed once", async () => {
  const journal = await opened(newPath());
  const plant = { id: 1, name: "Zea mays" };
  await journal.claim(plant);
  await journal.record(plant, "created");
  await journal.record(plant, "created");
  expect([...journal.created()]).toEqual([1]);
});
