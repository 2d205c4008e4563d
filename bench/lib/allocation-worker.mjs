// One candidate in a process of its own: prints the bytes that one call allocates, as the median of several batches.
import process from "node:process";
import { setImmediate } from "node:timers/promises";
import { median } from "./statistics.mjs";

const BATCHES = 3;
const CALLS_A_TURN = 32;
/** Until the compiler is done: inlined code allocates less. */
const WARM_UP_BATCHES = 3;
const BATCHES_AFTER_COLLECTION = 2;

const { module, options, calls } = JSON.parse(process.argv[2]);
const { default: setup } = await import(module);
const call = await setup(options);

async function batch() {
  for (let i = 1; i <= calls; i++) {
    await call();
    if (i % CALLS_A_TURN === 0) await setImmediate();
  }
}

for (let i = 0; i < WARM_UP_BATCHES; i++) await batch();
// While no call is in flight, this also discards the shapes of its objects, and the compiled code that relies on them.
globalThis.gc();
for (let i = 0; i < BATCHES_AFTER_COLLECTION; i++) await batch();
const bytes = [];
for (let i = 0; i < BATCHES; i++) {
  const before = process.memoryUsage().heapUsed;
  await batch();
  bytes.push((process.memoryUsage().heapUsed - before) / calls);
}
process.stdout.write(`${median(bytes)}`);
process.exit(0);
