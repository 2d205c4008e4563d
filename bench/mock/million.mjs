// node --expose-gc million.mjs {…}: fills one mock; tells what a plant weighs, and what a create costs on the way.
import { setImmediate } from "node:timers/promises";
import rawFetch from "../client/raw-fetch.mjs";

const { plants, mock } = JSON.parse(process.argv[2]);
const BATCH = 500;

const { createMockPlantStore } = await import(mock);
const store = createMockPlantStore();
const create = rawFetch(Object.assign(store.clientOptions, {}));
const plantOf = (id) => ({ id, name: `Monstera ${id}`, tag: `family-${id % 1000}` });

async function heap() {
  globalThis.gc();
  await setImmediate();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

/** Microseconds a create, of the middle batch. */
async function fill(from, to) {
  const times = [];
  for (let id = from; id < to; ) {
    const end = Math.min(id + BATCH, to);
    const start = performance.now();
    for (; id < end; id++) await create(plantOf(id));
    times.push(((performance.now() - start) * 1000) / BATCH);
    await setImmediate();
  }
  return times.sort((a, b) => a - b)[times.length >> 1];
}

/** What the strings of the plants weigh by themselves, made as the mock makes them: by JSON.parse. */
async function stringBytes() {
  const before = await heap();
  const strings = new Array(plants * 2);
  for (let id = 0; id < plants; id++) {
    const { name, tag } = JSON.parse(JSON.stringify(plantOf(id)));
    strings[id * 2] = name;
    strings[id * 2 + 1] = tag;
  }
  const bytes = (await heap()) - before - strings.length * 8;
  return strings.length && bytes;
}

const strings = await stringBytes();
await fill(0, 20_000);
store.reset();
const before = await heap();
const tenths = [];
for (let i = 0; i < 10; i++) tenths.push(await fill((plants / 10) * i, (plants / 10) * (i + 1)));
const filled = (await heap()) - before - strings;
if (store.plants.get(plants - 1)?.id !== plants - 1) throw new Error("a plant is missing");
const indexed = (await heap()) - before - strings;
const result = { tenths, stringBytes: strings / plants, bytes: filled / plants, indexedBytes: indexed / plants };
process.stdout.write(JSON.stringify(result), () => process.exit());
