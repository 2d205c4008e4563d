import assert from "node:assert/strict";
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { faults } from "plant-store-client/mock";
import { startMockPlantStore } from "plant-store-client/mock/http";
import { isRedisInstalled, startRedis } from "./redis.ts";

const skip = isRedisInstalled() ? false : "there is no redis-server: install it, or name it in REDIS_SERVER";
const PLANTS = 20;

test("a wrong token stops the import; the next run, with the right one, creates every plant", { skip }, async (t) => {
  const { run, store, settings } = await begin(t);
  const refused = await run("main.ts", { ...settings, PLANT_STORE_TOKEN: "expired" });
  assert.equal(refused.status, 1);
  assert.match(refused.output, /^0 created$/m);
  assert.match(refused.output, /^20 not created: .*401.*; run it again$/m);

  assert.deepEqual(await run("main.ts", settings), {
    status: 0,
    output: "20 plants in the queue, 3 workers\n20 created\n",
  });
  assert.equal([...store.plants].length, PLANTS);
});

test("a parked plant is sent again only if a person says so", { skip }, async (t) => {
  const { run, store, settings } = await begin(t);
  store.inject(faults.truncatedBody(), { when: { id: 6 } });
  const first = await run("main.ts", settings);
  assert.equal(first.status, 1);
  assert.match(first.output, /^19 created\nline 7 parked: it may exist/m);
  assert.equal((await run("main.ts", settings)).output, first.output);
  assert.equal(store.requests.count, PLANTS);

  assert.match((await run("resolve.ts", settings, "8", "send-again")).output, /^row 8 is not parked: it is created$/m);
  assert.equal((await run("resolve.ts", settings, "7", "send-again")).status, 0);
  assert.match((await run("main.ts", settings)).output, /^20 created$/m);
  assert.equal(store.requests.count, PLANTS + 1);
});

test("a stopped import finishes the plants under way, and sends the rest in its next run", { skip }, async (t) => {
  const { run, start, store, settings } = await begin(t, 100);
  store.inject(faults.delay(300), { times: 100 });
  const stopped = start("main.ts", settings);
  while (store.requests.count === 0) await wait(5);
  stopped.child.kill("SIGTERM");
  const { status, output } = await stopped.end;
  assert.equal(status, 1);
  const created = [...store.plants].length;
  assert.match(output, new RegExp(`^${created} created$`, "m"));
  assert.doesNotMatch(output, /parked/);
  assert.equal((await run("main.ts", settings)).output, "100 plants in the queue, 3 workers\n100 created\n");
  assert.equal(store.requests.count, 100);
});

test("half of a configuration is refused", { skip }, async (t) => {
  const { run, store, settings } = await begin(t);
  for (const name of Object.keys(settings)) {
    const { status, output } = await run("main.ts", { ...settings, [name]: "" });
    assert.equal(status, 1);
    assert.match(output, new RegExp(`^${name} not set; set all of REDIS_URL, PLANT_STORE_BASE_URL, PLANT_STORE_TOKEN`));
  }
  assert.equal(store.requests.count, 0);
});

/** Starts a Redis and a service, and writes a list. */
async function begin(t: TestContext, plants = PLANTS) {
  const folder = await mkdtemp(join(tmpdir(), "plant-list-"));
  const redis = await startRedis();
  const store = await startMockPlantStore({ auth: { tokens: ["right"] } });
  t.after(async () => {
    await store.close();
    await redis.stop();
    await rm(folder, { recursive: true });
  });
  const file = join(folder, "plants.csv");
  const rows = Array.from({ length: plants }, (_, i) => `${i + 1},Plant ${i + 1}\n`);
  await writeFile(file, `id,name\n${rows.join("")}`);
  const settings = { REDIS_URL: redis.url, PLANT_STORE_BASE_URL: store.url, PLANT_STORE_TOKEN: "right" };

  function start(program: "main.ts" | "resolve.ts", environment: object, ...args: string[]) {
    const path = fileURLToPath(new URL(program, import.meta.url));
    const child = spawn(process.execPath, ["--import", "tsx", path, ...(program === "main.ts" ? [file] : args)], {
      env: { ...process.env, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    return { child, end: endOf(child) };
  }

  return { start, run: (...call: Parameters<typeof start>) => start(...call).end, store, settings };
}

async function endOf(child: ChildProcessByStdio<null, Readable, Readable>) {
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { status: child.exitCode, output: output + errors };
}
