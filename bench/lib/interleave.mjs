import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { tie } from "./cpus.mjs";

const WORKER = fileURLToPath(new URL("worker.mjs", import.meta.url));

/** A candidate that is warmed up whole and then waits for the others is slower afterwards, by up to a fifth on sockets. */
const WARM_UP_TURNS = 4;

/**
 * Measures candidates, each in a process of its own, in turns: every round asks each for a batch of calls, and begins
 * with another candidate than the round before.
 *
 * A generation is a set of fresh processes, because the compiler's choices differ from process to process.
 *
 * @param {{ name: string, module: string, options?: object, lanes?: number, execPath?: string, cpu?: number }[]} candidates
 * @param {{ generations: number, rounds: number, batchMs: number, warmUpMs: number, warmUpCalls?: number }} effort
 * @returns {Promise<Map<string, { wall: number[], cpu: number[], runs: number }>>} nanoseconds per call, one entry per
 *   round; a generation is a run
 */
export async function interleave(candidates, effort) {
  const times = new Map(candidates.map(({ name }) => [name, { wall: [], cpu: [], runs: effort.generations }]));
  for (let generation = 0; generation < effort.generations; generation++) await generate(candidates, effort, times);
  return times;
}

async function generate(candidates, { rounds, batchMs, warmUpMs, warmUpCalls = 0 }, times) {
  const workers = await Promise.all(candidates.map(start));
  const warmUp = { warmUpMs: warmUpMs / WARM_UP_TURNS, warmUpCalls: Math.ceil(warmUpCalls / WARM_UP_TURNS), batchMs };
  try {
    for (let turn = 0; turn < WARM_UP_TURNS; turn++) {
      for (const worker of workers) worker.calls = (await ask(worker, warmUp)).calls;
    }
    for (let round = 0; round < rounds; round++) {
      for (let i = 0; i < workers.length; i++) {
        const worker = workers[(i + round) % workers.length];
        const { wall, cpu } = await ask(worker, { calls: worker.calls });
        times.get(worker.name).wall.push(wall);
        times.get(worker.name).cpu.push(cpu);
      }
    }
  } finally {
    for (const { child } of workers) child.disconnect();
  }
}

async function start({ name, module, options = {}, lanes = 1, execPath = process.execPath, cpu }) {
  const child = fork(WORKER, [JSON.stringify({ module, options, lanes })], {
    execPath,
    execArgv: ["--no-warnings"],
    env: { ...process.env, NODE_ENV: "production" },
  });
  await answerOf({ name, child });
  if (cpu !== undefined) tie(child.pid, cpu);
  return { name, child };
}

function ask(worker, request) {
  const answer = answerOf(worker);
  worker.child.send(request);
  return answer;
}

async function answerOf({ name, child }) {
  const ended = new AbortController();
  const [answer] = await Promise.race([
    once(child, "message", ended),
    once(child, "exit", ended).then(([code]) => {
      throw new Error(`${name} ended with code ${code}`);
    }),
  ]);
  // The loser of the race rejects then; its rejection is handled here.
  ended.abort();
  return answer;
}
