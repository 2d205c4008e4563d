// One candidate in a process of its own. The parent asks for batches, so that candidates take turns.
import process from "node:process";
import { setImmediate } from "node:timers/promises";

const CALLS_A_TURN = 32;

const { module, options, lanes = 1 } = JSON.parse(process.argv[2]);
const { default: setup } = await import(module);
const call = await setup(options);

/** Runs so many calls, each lane one after the other, and tells wall and CPU time in nanoseconds a call. */
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

/** Calls until the time is over, and returns how many calls fill a batch of `batchMs`. */
async function warmUp(warmUpMs, batchMs) {
  const callsIn = (ms, { wall }) => Math.max(lanes, Math.ceil((ms * 1e6) / wall));
  let last = await batch(lanes);
  const end = performance.now() + warmUpMs;
  while (performance.now() < end) last = await batch(callsIn(20, last));
  return callsIn(batchMs, await fastest(callsIn(batchMs, last), 3));
}

/** The fastest of some batches: on a busy machine most are interrupted by other processes, and the fastest least. */
async function fastest(calls, batches) {
  const best = { wall: Number.POSITIVE_INFINITY, cpu: Number.POSITIVE_INFINITY };
  for (let i = 0; i < batches; i++) {
    const { wall, cpu } = await batch(calls);
    best.wall = Math.min(best.wall, wall);
    best.cpu = Math.min(best.cpu, cpu);
  }
  return best;
}

process.on("message", async ({ warmUpMs, batchMs, calls, batches }) => {
  if (calls === undefined) process.send({ calls: await warmUp(warmUpMs, batchMs) });
  else process.send(await fastest(calls, batches));
});
process.on("disconnect", () => process.exit());
process.send("ready");
