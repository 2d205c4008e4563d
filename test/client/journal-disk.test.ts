import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openJournal } from "plant-store-client/journal";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";

/** What the disk does in a test, and what was asked of it. */
const disk = vi.hoisted(() => ({
  syncs: [] as ((error: Error | null) => void)[],
  failWrite: undefined as Error | undefined,
  closes: [] as number[],
  reads: 0,
  atEnd: () => {},
}));

vi.mock("node:fs", async (importOriginal) => {
  const real = await importOriginal<typeof fs>();
  return {
    ...real,
    closeSync: (fd: number) => {
      disk.closes.push(fd);
      real.closeSync(fd);
    },
    readSync: (...args: Parameters<typeof fs.readSync>) => {
      const length = real.readSync(...args);
      disk.reads++;
      if (length === 0) disk.atEnd();
      return length;
    },
    fdatasync: (_fd: number, done: (error: Error | null) => void) => void disk.syncs.push(done),
    appendFileSync: (file: string | number, text: string) => {
      if (disk.failWrite && text !== "") throw disk.failWrite;
      real.appendFileSync(file, text);
    },
  };
});

const baseUrl = "https://plants.example/v1";
const plant = (id: number) => ({ id, name: "Fern" });
const turn = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => {
  Object.assign(disk, { syncs: [], failWrite: undefined, closes: [], reads: 0, atEnd: () => {} });
});

async function opened() {
  const folder = fs.mkdtempSync(join(tmpdir(), "journal-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "import.journal");
  return { path, journal: await openJournal(path, { baseUrl }) };
}

/** Whether a promise has settled after a turn. */
async function isSettled(promise: unknown) {
  let settled = false;
  Promise.resolve(promise).then(
    () => (settled = true),
    () => (settled = true),
  );
  await turn();
  return settled;
}

test("a plant is claimed when its line is on the disk: all claims of that time share one write to it", async () => {
  const { journal } = await opened();
  const first = journal.claim(plant(1));
  const second = journal.claim(plant(2));
  expect([await isSettled(first), disk.syncs.length]).toEqual([false, 1]);
  const third = journal.claim(plant(3));
  disk.syncs[0]?.(null);
  expect([await first, await second, await isSettled(third), disk.syncs.length]).toEqual([
    undefined,
    undefined,
    false,
    2,
  ]);
  disk.syncs[1]?.(null);
  expect(await third).toBeUndefined();
});

test("what a person resolves is on the disk, and so is the last record when the journal is closed", async () => {
  const { journal } = await opened();
  const claim = journal.claim(plant(1));
  await turn();
  disk.syncs[0]?.(null);
  await claim;
  const resolved = journal.resolve(1, { exists: true });
  expect([await isSettled(resolved), disk.syncs.length]).toEqual([false, 2]);
  disk.syncs[1]?.(null);
  await resolved;
  const closed = journal.close();
  expect([await isSettled(closed), disk.syncs.length]).toEqual([false, 3]);
  expect(disk.closes).toEqual([]);
  disk.syncs[2]?.(null);
  await closed;
  expect(disk.closes).toHaveLength(1);
});

test("a disk that fails ends the run: no later plant is claimed or recorded", async () => {
  const { journal } = await opened();
  const claim = journal.claim(plant(1));
  await turn();
  disk.syncs[0]?.(new Error("EIO"));
  await expect(claim).rejects.toThrow("EIO");
  await expect(journal.claim(plant(2))).rejects.toThrow("EIO");
  expect(() => journal.record(plant(1), "created")).toThrow("EIO");
});

test("a full disk ends the run, and nothing is written after a part of a line", async () => {
  const { path, journal } = await opened();
  disk.failWrite = new Error("ENOSPC");
  await expect(journal.claim(plant(1))).rejects.toThrow("ENOSPC");
  disk.failWrite = undefined;
  const size = fs.statSync(path).size;
  await expect(journal.claim(plant(2))).rejects.toThrow("ENOSPC");
  expect(fs.statSync(path).size).toBe(size);
});

test("a disk that fails after the file was removed: what is known is saved, and so is what comes after", async () => {
  const { path, journal } = await opened();
  const claim = journal.claim(plant(1));
  await turn();
  fs.rmSync(path);
  expect(() => journal.record(plant(2), "created")).toThrow(`${path} was removed`);
  disk.syncs[0]?.(new Error("EIO"));
  await expect(claim).rejects.toThrow(`${path} was removed`);
  journal.record(plant(3), "created");
  fs.renameSync(`${path}.rescued`, path);
  expect([...(await openJournal(path, { baseUrl })).created()]).toEqual([2, 3]);
});

test("no half of what is known is saved: it would say that the other plants were never sent", async () => {
  const { path, journal } = await opened();
  fs.rmSync(path);
  disk.failWrite = new Error("ENOSPC");
  await expect(journal.claim(plant(1))).rejects.toThrow("What this process knows could not be saved: ENOSPC");
  expect(fs.existsSync(`${path}.rescued`)).toBe(false);
});

test("a file without line breaks is refused before all of it is read, and closed", async () => {
  const { path } = await opened();
  fs.writeFileSync(path, `plant-store-journal 2 ${baseUrl}\n${"1".repeat(8_000_000)}`);
  disk.reads = 0;
  await expect(openJournal(path, { baseUrl })).rejects.toThrow("is damaged in line 2");
  expect({ reads: disk.reads, closes: disk.closes.length }).toEqual({ reads: 4, closes: 1 });
});

test("a line that another process writes between reading and use is noticed", async () => {
  const { path } = await opened();
  disk.atEnd = () => fs.writeFileSync(path, "1 00000000000000 ? 00000000\n", { flag: "a" });
  const second = await openJournal(path, { baseUrl });
  setImmediate(() => disk.syncs[0]?.(null));
  await expect(second.claim(plant(1))).rejects.toThrow("is written by another process");
});
