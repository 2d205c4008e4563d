import { rm, symlink } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import installPackages from "../../docs/install.ts";
import { findProgram, inSearchPath, type Program } from "../../find-program.ts";
import { execute } from "../../package/run.ts";

/** The server that the queue needs. */
const REDIS: Program = {
  name: "redis-server",
  variable: "PLANT_STORE_TEST_REDIS",
  install: "install Redis, e.g. with the package manager of the system",
  places: (machine) => [
    ...inSearchPath(["redis-server"], machine),
    // Linux, and Homebrew on both kinds of Mac. Windows has none.
    ...["/usr/bin", "/opt/homebrew/bin", "/usr/local/bin"].map((folder) => `${folder}/redis-server`),
  ],
};
const redisPath = findProgram(REDIS);
if (redisPath === undefined) console.warn(`No ${REDIS.name}: the queue is not tried. To include it, ${REDIS.install}.`);

const folder = fileURLToPath(new URL("../../../examples/queue", import.meta.url));
const npm = (...args: string[]) => execute(folder, "npm", args, { REDIS_SERVER: redisPath });

beforeAll(async () => {
  installPackages();
  const packages = fileURLToPath(new URL("../../docs/packages/node_modules", import.meta.url));
  await rm(`${folder}/node_modules`, { recursive: true, force: true });
  await symlink(packages, `${folder}/node_modules`, "junction");
});

test("examples/queue compiles", () => npm("run", "typecheck"));

test.skipIf(redisPath === undefined)("examples/queue imports the list", async () => {
  const { stdout } = await npm("start", "--silent");
  const lines = stdout.split("\n");
  expect(lines).toContain("313 plants in the queue, 3 workers");
  expect(lines).toContain("312 created");
  expect(lines).toContainEqual(expect.stringMatching(/^line 290 refused: .*exists/));
});

test.skipIf(redisPath === undefined)(
  "examples/queue loses no plant when its workers are killed, and sends none twice",
  async () => {
    const { stdout } = await npm("test", "--silent");
    expect(stdout).toMatch(/^ok \d+ - workers that are killed lose no plant/m);
    expect(stdout).toContain("# fail 0");
    expect(stdout).toContain("# skipped 0");
  },
);
