// Measures what a long run leaves behind in plant-store-mock, with 256 MB of heap:
//
//   npm run build && node test/load/soak.mjs
//
// 10,000 rejected bodies of 1 MiB, 500,000 plants of 100 bytes, 10,000 sessions opened and disposed. After each, the
// mock must respond to a health check and return a page of each list. It prints the duration and the memory of each
// step.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    bodies: { type: "string", default: "10000" },
    plants: { type: "string", default: "500000" },
    sessions: { type: "string", default: "10000" },
    cli: { type: "string", default: fileURLToPath(new URL("../../dist/cli.js", import.meta.url)) },
  },
});

const mock = spawn(process.execPath, ["--max-old-space-size=256", values.cli, "--port", "0", "--log", "silent"], {
  stdio: ["ignore", "pipe", "inherit"],
});
const ended = new Promise((resolve) => mock.on("exit", (code, signal) => resolve(signal ?? code)));
ended.then((how) => how === 0 || fail(`the mock ended with ${how}`));
const { url } = JSON.parse(await new Promise((resolve) => mock.stdout.once("data", resolve)));
const agent = new Agent({ keepAlive: true, maxSockets: 16 });

function fail(message) {
  console.error(`FAILED: ${message}`);
  mock.kill("SIGKILL");
  process.exit(1);
}

function send(method, path, body = "", token = "soak") {
  const headers = {
    Authorization: `Bearer ${token}`,
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    request(`${url}${path}`, { method, agent, headers }, async (response) => {
      let text = "";
      for await (const chunk of response.setEncoding("utf8")) text += chunk;
      resolve({ status: response.statusCode, text });
    })
      .on("error", reject)
      .end(body);
  });
}

/** Runs so many calls, 16 at once. */
async function times(count, call) {
  let next = 0;
  const worker = async () => {
    while (next < count) await call(next++);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

async function expectStatus(status, reply) {
  const { status: found, text } = await reply;
  if (found !== status) fail(`expected ${status}, received ${found}: ${text.slice(0, 200)}`);
  return text;
}

function memory() {
  const status = readFileSync(`/proc/${mock.pid}/status`, "utf8");
  const megabytes = (name) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
  return `${megabytes("VmRSS")} MB resident, ${megabytes("VmHWM")} MB at most`;
}

async function phase(name, work) {
  const startedAt = performance.now();
  await work();
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  await expectStatus(200, send("GET", "/_mock/health"));
  for (const list of ["plants", "requests"]) {
    const listedAt = performance.now();
    const text = await expectStatus(200, send("GET", `/_mock/${list}?last=100`));
    await expectStatus(200, send("GET", `/_mock/${list}`));
    const took = (performance.now() - listedAt).toFixed(0);
    console.log(`  ${list}: two pages in ${took} ms, ${(text.length / 1024).toFixed(0)} KiB`);
  }
  console.log(`${name}: ${seconds} s, ${memory()}`);
}

const MEBIBYTE = 2 ** 20;
const [large, garbled] = [`{"id":1,"name":"${"a".repeat(MEBIBYTE)}"}`, "{".repeat(MEBIBYTE)];
await phase(`${values.bodies} refused bodies of 1 MiB`, () =>
  times(Number(values.bodies), (i) =>
    i % 2 === 0
      ? expectStatus(413, send("POST", "/plants", large))
      : expectStatus(400, send("POST", "/plants", garbled)),
  ),
);
await phase(`${values.plants} plants of 100 bytes`, () =>
  times(Number(values.plants), (id) =>
    expectStatus(200, send("POST", "/plants", `{"id":${id},"name":"${"Monstera".repeat(10)}"}`.padEnd(100))),
  ),
);
await phase(`${values.sessions} sessions opened and disposed of`, () =>
  times(Number(values.sessions), async () => {
    const { session, token } = JSON.parse(await expectStatus(201, send("POST", "/_mock/sessions")));
    await expectStatus(200, send("POST", "/plants", '{"id":1,"name":"Monstera"}', token));
    await expectStatus(204, send("DELETE", `/_mock/sessions/${session}`));
  }),
);

agent.destroy();
mock.kill("SIGTERM");
if ((await ended) !== 0) fail("the mock did not end in order");
console.log("The mock was alive all the time, and ended in order.");
