import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { faults } from "plant-store-client/mock";
import { startMockPlantStore } from "plant-store-client/mock/http";
import { enqueue, openQueue } from "./jobs.ts";
import { Ledger } from "./ledger.ts";
import { connect, isRedisInstalled, startRedis } from "./redis.ts";
import { drained, startWorker, stopWorker } from "./workers.ts";

const PLANTS = 240;
const KILLS = 6;
const RATE_LIMITED = 7;
const LOST = 11;

const skip = isRedisInstalled() ? false : "there is no redis-server: install it, or name it in REDIS_SERVER";

test("workers that are killed lose no plant, and nothing is sent again whose outcome is known", { skip }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "plant-list-"));
  const redis = await startRedis();
  const store = await startMockPlantStore({ journalLimit: 10_000 });
  const queue = openQueue(redis.url);
  const connection = connect(redis.url);
  const ledger = new Ledger(connection);
  const into = { queue, ledger, baseUrl: store.url };
  const workers: ChildProcess[] = [];

  after(async () => {
    await Promise.all(workers.map((worker) => stopWorker(worker, "SIGKILL")));
    connection.disconnect();
    await queue.close();
    await store.close();
    await redis.stop();
    await rm(folder, { recursive: true });
  });

  function hire(): void {
    const { url, token } = store;
    workers.push(startWorker({ REDIS_URL: redis.url, PLANT_STORE_BASE_URL: url, PLANT_STORE_TOKEN: token }));
  }

  const file = join(folder, "plants.ndjson");
  const lines = Array.from({ length: PLANTS }, (_, i) => JSON.stringify({ id: i + 1, name: `Plant ${i + 1}` }));
  await writeFile(file, lines.join("\n"));

  // Slow enough that a killed worker always leaves plants in the middle.
  store.inject(faults.rateLimited(0), { times: 4, when: { id: RATE_LIMITED } });
  store.inject(faults.lostResponse(), { when: { id: LOST } });
  store.inject(faults.delay(60), { times: PLANTS * 2 });

  assert.deepEqual(await enqueue(file, into), { unit: "line", plants: PLANTS, badRows: [] });
  assert.deepEqual(await enqueue(file, into), { unit: "line", plants: PLANTS, badRows: [] });
  for (let i = 0; i < 3; i++) hire();
  for (let kill = 1; kill <= KILLS; kill++) {
    while (store.requests.count < (kill * PLANTS) / (KILLS + 2)) await wait(5);
    await stopWorker(workers[kill - 1] as ChildProcess, "SIGKILL");
    hire();
  }
  await drained(queue, workers);
  await Promise.all(workers.map((worker) => stopWorker(worker)));

  const posts = new Map<unknown, number>();
  for (const { plant } of store.requests) posts.set(plant?.id, (posts.get(plant?.id) ?? 0) + 1);
  const entries = await ledger.entries();
  const created = [...entries].filter(([, { state }]) => state === "created").map(([row]) => row);
  const parked = [...entries].filter(([, { state }]) => state === "sending").map(([row]) => row);

  // A row is the id here. Every one has an entry: nothing is lost.
  assert.deepEqual(
    [...entries.keys()],
    Array.from({ length: PLANTS }, (_, i) => i + 1),
  );
  assert.deepEqual(
    [...created, ...parked].sort((a, b) => a - b),
    [...entries.keys()],
  );
  // Known as created: it is there, once, and was sent once.
  for (const id of created) {
    assert.equal([...store.plants].filter((plant) => plant.id === id).length, 1, `plant ${id} is there once`);
    if (id !== RATE_LIMITED) assert.equal(posts.get(id), 1, `plant ${id} was sent once`);
  }
  // Refused with 429 four times: the service's own word that it was not created, so it was sent until it was.
  assert.ok(created.includes(RATE_LIMITED) ? posts.get(RATE_LIMITED) === 5 : parked.includes(RATE_LIMITED));
  // Parked: sent at most once, and left to a person.
  assert.ok(parked.includes(LOST));
  for (const id of parked) if (id !== RATE_LIMITED) assert.ok((posts.get(id) ?? 0) <= 1, `plant ${id} was sent once`);
  assert.ok(parked.length > 1, "the kills left plants whose outcome nobody knows");
  assert.equal(await queue.getFailedCount(), 0);
});

test("an array in one line has a job for each element; another list or service is refused", { skip }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "plant-list-"));
  const redis = await startRedis();
  const queue = openQueue(redis.url);
  const connection = connect(redis.url);
  const ledger = new Ledger(connection);
  const into = { queue, ledger, baseUrl: "http://127.0.0.1:1" };
  after(async () => {
    connection.disconnect();
    await queue.close();
    await redis.stop();
    await rm(folder, { recursive: true });
  });
  const [file, other] = [join(folder, "plants.json"), join(folder, "other.csv")];
  await writeFile(file, '[{"id":1,"name":"Acer"},{"id":2},{"id":3,"name":"Rosa"}]');
  await writeFile(other, "id,name\n4,Salvia\n5,Wollemia\n");

  const { plants, badRows } = await enqueue(file, into);
  assert.equal(plants, 2);
  assert.deepEqual(badRows, ['element 2: name is required; received: {"id":2}']);
  await assert.rejects(enqueue(other, into), /other\.csv: this Redis holds the import of another list/);
  await assert.rejects(enqueue(file, { ...into, baseUrl: "http://127.0.0.1:2" }), /or into another service/);
  const jobs = await queue.getWaiting();
  assert.deepEqual(jobs.map(({ data }) => data.name).sort(), ["Acer", "Rosa"]);
});
