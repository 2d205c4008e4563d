// The profiled loop: warms up, then calls until the time is over.
import { setImmediate } from "node:timers/promises";

const { module, options, lanes, warmUpCalls, ms } = JSON.parse(process.argv[2]);
const { default: setup } = await import(module);
const call = await setup(options);

/** Calls for a time, and at least a number of times; returns how often. */
async function loops(duration, atLeast) {
  const end = performance.now() + duration;
  let calls = 0;
  const loop = async () => {
    while (performance.now() < end || calls < atLeast) {
      await call();
      if (++calls % 32 === 0) await setImmediate();
    }
  };
  await Promise.all(Array.from({ length: lanes }, loop));
  return calls;
}

await loops(ms / 3, warmUpCalls);
const from = Number(process.hrtime.bigint() / 1000n);
const calls = await loops(ms, 0);
process.stdout.write(JSON.stringify({ calls, from }), () => process.exit());
