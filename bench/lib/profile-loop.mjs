// The profiled loop: warms up, then calls until the time is over.
import { setImmediate } from "node:timers/promises";

const { module, options, lanes, ms } = JSON.parse(process.argv[2]);
const { default: setup } = await import(module);
const call = await setup(options);

async function loop(end) {
  let calls = 0;
  while (performance.now() < end) {
    await call();
    if (++calls % 32 === 0) await setImmediate();
  }
  return calls;
}

async function loops(duration) {
  const end = performance.now() + duration;
  const calls = await Promise.all(Array.from({ length: lanes }, () => loop(end)));
  return calls.reduce((sum, each) => sum + each, 0);
}

await loops(ms / 3);
const from = Number(process.hrtime.bigint() / 1000n);
const calls = await loops(ms);
process.stdout.write(JSON.stringify({ calls, from }), () => process.exit());
