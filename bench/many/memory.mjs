// node --expose-gc memory.mjs {…}: one run over all plants; reports the heap at each tenth, in MiB.
import setup from "./call.mjs";

const { plants, ...options } = JSON.parse(process.argv[2]);

function heap() {
  globalThis.gc();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

const warm = await setup({ ...options, slice: Math.ceil(plants / 10) });
await warm();
const before = heap();
const peaks = [];
const watch = setInterval(() => peaks.push(heap() - before), 250);
const all = await setup({ ...options, slice: plants });
await all();
clearInterval(watch);
peaks.push(heap() - before);
const rss = process.resourceUsage().maxRSS / 1024;
process.stdout.write(JSON.stringify({ mostHeld: Math.max(...peaks), heldAtEnd: peaks.at(-1), rss }), () =>
  process.exit(),
);
