import { type ChildProcess, spawn } from "node:child_process";
import { findProgram, inSearchPath, type Program } from "./find-program.ts";
import { freePort } from "./free-port.ts";

/** The server that a queue needs. */
const REDIS: Program = {
  name: "redis-server",
  variable: "PLANT_STORE_TEST_REDIS",
  install: "install Redis, e.g. with the package manager of the system",
  places: inSearchPath("redis-server"),
};

/** Its path, if it is installed. */
export const redisPath: string | undefined = findProgram(REDIS);
if (redisPath === undefined) console.warn(`No ${REDIS.name}: the queue is not tried. To include it, ${REDIS.install}.`);

/** Starts Redis with its files in a folder. */
export async function startRedis(folder: string): Promise<{ url: string; server: ChildProcess }> {
  const port = await freePort();
  const flags = ["--bind", "127.0.0.1", "--port", `${port}`, "--dir", folder, "--save", "", "--appendonly", "yes"];
  const server = spawn(redisPath as string, flags, { stdio: "ignore" });
  return { url: `redis://127.0.0.1:${port}`, server };
}
