// node --expose-gc million.mjs {…}: fills one mock; reports the memory of a plant and the cost of a create.
import { setImmediate } from "node:timers/promises";
import rawFetch from "../client/raw-fetch.mjs";

const { plants, mock } = JSON.parse(process.argv[2]);
/** Creates per turn of the event loop. */
const TURN = 100;

const { createMockPlantStore } = await import(mock);
const store = createMockPlantStore();
const create = rawFetch(store.clientOptions);
const plantOf = (id) => ({ id, name: `Monstera ${id}`, tag: `family-${id % 1000}` });

async function heap() {
  globalThis.gc();
  await setImmediate();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

/** CPU time in microseconds a create. */
async function fill(from, to) {
  const begin = process.cpuUsage();
  for (let id = from; id < to; id++) {
    await create(plantOf(id));
    if (id % TURN === 0) await setImmediate();
  }
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / (to - from);
}

/** The memory of the plants' strings alone, made by JSON.parse as in the mock. */
async function stringBytes() {
  const before = await heap();
  const strings = new Array(plants * 2);
  for (let id = 0; id < plants; id++) {
    const { name, tag } = JSON.parse(JSON.stringify(plantOf(id)));
    strings[id * 2] = name;
    strings[id * 2 + 1] = tag;
  }
  const bytes = (await heap()) - before - strings.length * 8;
  // The strings are in use until here.
  return strings.length > 0 ? bytes : 0;
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
