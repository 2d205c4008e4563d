import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { findProgram, inSearchPath, type Program } from "../../find-program.ts";
import { execute, type Printed } from "../../package/run.ts";

const ID_RULE = "must be an integer from -9223372036854775808 to 9223372036854775807";

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

/** The examples that have a package.json of their own, and lines that they print. */
const projects = [
  {
    folder: "hono-route",
    prints: [
      '201 {"name":"Acer campestre","tag":"tree"}',
      expect.stringMatching(/^422 \{"message":".*\b1\b.*"\}$/),
      expect.stringContaining(
        `422 {"message":"please correct the plant","issues":[{"path":["id"],"message":"${ID_RULE}`,
      ),
      "413 Payload Too Large",
      '503 {"message":"nothing was created: please try again later"}',
      '502 {"message":"the plant may be there or not: please look"}',
    ],
  },
  {
    folder: "opentelemetry",
    prints: [
      "createPlant {}",
      "  'http.response.status_code': 429,",
      "  'http.request.resend_count': 1,",
      "  'http.response.status_code': 200",
      "createPlant { 'plant.outcome': 'unknown', 'error.type': 'connection' }",
      "the service knows the trace: true",
    ],
  },
];

const queue = {
  folder: "queue",
  prints: ["313 plants in the queue, 3 workers", "312 created", expect.stringMatching(/^line 290 refused: .*exists/)],
};

test.each(projects)("examples/$folder installs, compiles and runs", tryProject);

test.skipIf(redisPath === undefined)("examples/queue installs, compiles and runs", () => tryProject(queue));

test.skipIf(redisPath === undefined)(
  "examples/queue loses no plant when its workers are killed, and sends none twice",
  async () => {
    const { stdout } = await npmIn("queue", "test", "--silent");
    expect(stdout).toMatch(/^ok \d+ - workers that are killed lose no plant/m);
    expect(stdout).toContain("# fail 0");
    expect(stdout).toContain("# skipped 0");
  },
);

async function tryProject({ folder, prints }: (typeof projects)[number]): Promise<void> {
  await npmIn(folder, "ci", "--no-audit", "--no-fund");
  await npmIn(folder, "run", "typecheck");
  const { stdout } = await npmIn(folder, "start", "--silent");
  const lines = stdout.split("\n");
  for (const line of prints) expect(lines).toContainEqual(line);
}

function npmIn(example: string, ...args: string[]): Promise<Printed> {
  const folder = fileURLToPath(new URL(`../../../examples/${example}`, import.meta.url));
  return execute(folder, "npm", args, { REDIS_SERVER: redisPath });
}
