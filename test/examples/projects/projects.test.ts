import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const ID_RULE = "must be an integer from -9223372036854775808 to 9223372036854775807";

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
  {
    folder: "queue",
    prints: ["313 plants in the queue, 3 workers", "312 created", expect.stringMatching(/^line 290 refused: .*exists/)],
  },
];

test.each(projects)("examples/$folder installs, compiles and runs", async ({ folder, prints }) => {
  const cwd = fileURLToPath(new URL(`../../../examples/${folder}`, import.meta.url));
  const npm = (...args: string[]) => promisify(execFile)("npm", args, { cwd });
  await npm("ci", "--no-audit", "--no-fund");
  await npm("run", "typecheck");
  const { stdout } = await npm("start", "--silent");
  const lines = stdout.split("\n");
  for (const line of prints) expect(lines).toContainEqual(line);
});

test("examples/queue loses no plant when its workers are killed, and sends none twice", async () => {
  const cwd = fileURLToPath(new URL("../../../examples/queue", import.meta.url));
  const { stdout } = await promisify(execFile)("npm", ["test", "--silent"], { cwd });
  expect(stdout).toContain("ok 1 - workers that are killed lose no plant");
});
