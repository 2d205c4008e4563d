import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";

/** The program: the one in PATH, unless the variable names another. */
const PROGRAM = process.env.REDIS_SERVER || "redis-server";

/** Whether there is a Redis to start. */
export function isRedisInstalled(): boolean {
  return spawnSync(PROGRAM, ["--version"]).error === undefined;
}

/** A Redis server on loopback, in a folder of its own, that ends with this program. */
export interface RedisServer {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts redis-server. It writes every command to disk before it responds, because a ledger must not lose entries.
 *
 * @throws Error if there is no redis-server, or it does not start.
 */
export async function startRedis(): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), "plant-queue-"));
  const port = await freePort();
  const flags = { bind: "127.0.0.1", port, dir: folder, save: "", appendonly: "yes", appendfsync: "always" };
  const server = spawn(
    PROGRAM,
    Object.entries(flags).flatMap(([name, value]) => [`--${name}`, `${value}`]),
    // In a process group of its own: Ctrl-C in a terminal must not end it before the workers.
    { stdio: ["ignore", "pipe", "inherit"], detached: true },
  );
  await ready(server.stdout, once(server, "error"), once(server, "exit"));
  const endWithUs = () => server.kill("SIGKILL");
  process.once("exit", endWithUs);
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: async () => {
      process.off("exit", endWithUs);
      server.kill("SIGTERM");
      if (server.exitCode === null) await once(server, "exit");
      await rm(folder, { recursive: true });
    },
  };
}

/** A connection as BullMQ wants it: it waits for Redis instead of giving up. */
export function connect(url: string): Redis {
  return new Redis(url, { maxRetriesPerRequest: null });
}

async function ready(output: NodeJS.ReadableStream, failed: Promise<unknown[]>, ended: Promise<unknown[]>) {
  failed.catch(() => {});
  const listening = (async () => {
    for await (const text of output) if (String(text).includes("Ready to accept connections")) break;
    output.resume();
  })();
  await Promise.race([
    listening,
    failed.then(([error]) => {
      throw new Error(`redis-server does not start; install it, or name it in REDIS_SERVER: ${error}`);
    }),
    ended.then(([status]) => {
      throw new Error(`redis-server ended with status ${status}`);
    }),
  ]);
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}
