import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type HttpMockPlantStore, startMockPlantStore } from "../../../mock/http.ts";
import { faults } from "../../../mock/index.ts";
import installPackages, { packages } from "../../install-packages.ts";
import { execute } from "../../package/run.ts";
import { redisPath, startRedis } from "../../redis.ts";

const example = fileURLToPath(new URL("../../../examples/queue", import.meta.url));

beforeAll(async () => {
  installPackages();
  await rm(`${example}/node_modules`, { recursive: true, force: true });
  await symlink(packages, `${example}/node_modules`, "junction");
});

test("examples/queue compiles", () =>
  execute(example, process.execPath, [fileURLToPath(import.meta.resolve("typescript/bin/tsc")), "-p", "."]));

describe.skipIf(redisPath === undefined)("the import through a queue", () => {
  const processes: ChildProcess[] = [];
  let folder: string;
  let redisUrl: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "plant-queue-"));
    const redis = await startRedis(folder);
    redisUrl = redis.url;
    processes.push(redis.server);
  });
  afterAll(async () => {
    for (const child of processes.reverse()) await end(child, "SIGKILL");
    await rm(folder, { recursive: true });
  });

  function environmentFor(store: HttpMockPlantStore, token = store.token) {
    return { REDIS_URL: redisUrl, PLANT_STORE_BASE_URL: store.url, PLANT_STORE_TOKEN: token };
  }

  function startWorker(environment: object): ChildProcess {
    const options = { cwd: example, env: { ...process.env, ...environment }, stdio: "ignore" } as const;
    const worker = spawn(process.execPath, ["--import", "tsx", "worker.ts"], options);
    processes.push(worker);
    return worker;
  }

  async function importList(file: string, environment: Record<string, string>): Promise<string[]> {
    const { stdout } = await execute(example, "sh", ["-c", `npm run --silent import -- ${file} || true`], environment);
    return stdout.trimEnd().split("\n");
  }

  test("creates what can be created; after a wrong token, the next run continues", async () => {
    await using store = await startMockPlantStore({ duplicateIds: "reject", auth: { tokens: ["right"] } });
    const worker = startWorker(environmentFor(store, "expired"));
    const refused = await importList("../data/plants.csv", environmentFor(store));
    expect(refused).toContain("0 created");
    expect(refused).toContain("line 2: not created; import the list again");
    await end(worker, "SIGTERM");

    const another = startWorker(environmentFor(store));
    const lines = await importList("../data/plants.csv", environmentFor(store));
    expect(lines).toContain("212 created");
    expect(lines).toContainEqual(expect.stringMatching(/^line 190: refused: .*exists/));
    expect(lines).toContainEqual(expect.stringMatching(/^line 46: bad line, not sent: name is required/));
    expect(store.plants.size).toBe(212);
    await end(another, "SIGTERM");
  });

  test("loses no plant when its workers are killed, and sends none twice whose result is known", async () => {
    await using store = await startMockPlantStore({ maxRecordedRequests: 10_000 });
    const [PLANTS, KILLS, LIMITED, LOST] = [240, 4, 7, 11];
    const file = join(folder, "plants.ndjson");
    const ids = Array.from({ length: PLANTS }, (_, index) => index + 1);
    await writeFile(file, ids.map((id) => JSON.stringify({ id, name: `Plant ${id}` })).join("\n"));
    // Slow enough that a killed worker always leaves plants in the middle.
    store.inject(faults.rateLimited(0), { times: 4, when: { id: LIMITED } });
    store.inject(faults.lostResponse(), { when: { id: LOST } });
    store.inject(faults.delay(60), { times: PLANTS * 2 });

    const environment = environmentFor(store);
    const imported = importList(file, environment);
    const workers = [1, 2, 3].map(() => startWorker(environment));
    for (let kill = 1; kill <= KILLS; kill++) {
      while (store.requests.count < (kill * PLANTS) / (KILLS + 2)) await wait(5);
      await end(workers.shift() as ChildProcess, "SIGKILL");
      workers.push(startWorker(environment));
    }
    const lines = await imported;

    const parked = lines.flatMap((line) => /^line (\d+): unknown$/.exec(line)?.slice(1).map(Number) ?? []);
    const created = ids.filter((id) => !parked.includes(id));
    // The line is the id here.
    expect(lines).toContain(`${created.length} created`);
    expect(parked).toContain(LOST);
    expect(parked.length, "the kills left plants whose outcome nobody knows").toBeGreaterThan(1);
    const sent = [...store.requests].map(({ plant }) => plant?.id);
    for (const id of ids.filter((id) => id !== LIMITED)) {
      expect([0, 1], `plant ${id} was sent at most once`).toContain(sent.filter((other) => other === id).length);
    }
    const stored = [...store.plants].map(({ id }) => id);
    for (const id of created) expect(stored.filter((other) => other === id)).toEqual([id]);

    expect(await importList(file, environment)).toEqual(lines);
    expect(store.requests.count).toBe(sent.length);
  });
});

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, "exit");
}
