// One candidate in a process of its own. The parent asks for batches, so that candidates take turns.
import process from "node:process";
import { setImmediate } from "node:timers/promises";

const CALLS_A_TURN = 32;

const { module, options, lanes = 1 } = JSON.parse(process.argv[2]);
const { default: setup } = await import(module);
const call = await setup(options);

/** Runs a number of calls, each lane one after the other, and measures wall and CPU time in nanoseconds per call. */
async function batch(calls) {
  const cpu = process.cpuUsage();
  const start = process.hrtime.bigint();
  if (lanes === 1) await lane(calls);
  else await Promise.all(Array.from({ length: lanes }, () => lane(Math.ceil(calls / lanes))));
  const wall = Number(process.hrtime.bigint() - start);
  const { user, system } = process.cpuUsage(cpu);
  const done = lanes === 1 ? calls : Math.ceil(calls / lanes) * lanes;
  return { wall: wall / done, cpu: ((user + system) * 1000) / done };
}

async function lane(calls) {
  for (let i = 1; i <= calls; i++) {
    await call();
    // An application turns its event loop; without it timers, finalizers and weak references pile up.
    if (i % CALLS_A_TURN === 0) await setImmediate();
  }
}

/**
 * Calls until a given CPU time is spent and a given number of calls made, and returns how many calls fill a batch of
 * `batchMs`. CPU time, because on a busy machine the compiler is not done after any fixed time; calls, because it counts
 * those, and a candidate that takes longer would otherwise be measured in an earlier state than its baseline.
 */
async function warmUp(warmUpMs, warmUpCalls, batchMs) {
  const callsIn = (ms, { wall, cpu }) => Math.max(lanes, Math.ceil((ms * 1e6) / Math.min(wall, cpu || wall)));
  const latest = performance.now() + warmUpMs * 6;
  const spent = () => (process.cpuUsage().user + process.cpuUsage().system) / 1000;
  const enough = spent() + warmUpMs;
  let made = lanes;
  let last = await batch(made);
  while ((spent() < enough && performance.now() < latest) || made < warmUpCalls) {
    const calls = Math.min(callsIn(20, last), lanes * 5000);
    last = await batch(calls);
    made += calls;
  }
  return callsIn(batchMs, last);
}

process.on("message", async ({ warmUpMs, warmUpCalls, batchMs, calls }) => {
  if (calls === undefined) process.send({ calls: await warmUp(warmUpMs, warmUpCalls, batchMs) });
  else process.send(await batch(calls));
});
process.on("disconnect", () => process.exit());
process.send("ready");
