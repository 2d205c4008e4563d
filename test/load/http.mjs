// Runs load and hostile clients against plant-store-mock:
//
//   npm run load -- --connections 500 --seconds 60
//
// Good clients send on connections that they keep open; hostile ones attack at the same time. It fails when a good
// client gets anything except the service's own response, if memory keeps growing, or if the mock does not end with 0.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    connections: { type: "string", default: "500" },
    seconds: { type: "string", default: "60" },
    cli: { type: "string", default: fileURLToPath(new URL("../../dist/cli.js", import.meta.url)) },
  },
});
const seconds = Number(values.seconds);

const mock = spawn(process.execPath, [values.cli, "--port", "0", "--duplicate-ids", "reject", "--log", "silent"], {
  stdio: ["ignore", "pipe", "inherit"],
});
const ended = new Promise((resolve) => mock.on("exit", resolve));
const { url } = JSON.parse(await new Promise((resolve) => mock.stdout.once("data", resolve)));
const port = Number(new URL(url).port);
const end = performance.now() + seconds * 1000;
const isOver = () => performance.now() >= end;
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const HEAD = "POST /plants HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer hostile\r\nContent-Type: application/json\r\n";
const PLANT = '{"id":1,"name":"Monstera deliciosa"}';

const latencies = [];
const replies = {};
async function goodClient(index) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let round = 0; !isOver(); round++) {
    // One plant in a hundred is new: a growing store is not a leak, but it would hide one.
    const id = round % 100 === 0 ? index * 1_000_000 + round : 1;
    const startedAt = performance.now();
    const reply = await send(agent, `{"id":${id},"name":"Monstera deliciosa"}`);
    latencies.push(performance.now() - startedAt);
    replies[reply] = (replies[reply] ?? 0) + 1;
  }
  agent.destroy();
}

function send(agent, body) {
  const headers = { Authorization: "Bearer good", "Content-Type": "application/json", "Content-Length": body.length };
  return new Promise((resolve) => {
    request(`${url}/plants`, { method: "POST", agent, headers }, (response) => {
      response.on("error", (error) => resolve(error.code));
      response.resume().on("end", () => resolve(response.statusCode));
    })
      .on("error", (error) => resolve(error.code))
      .end(body);
  });
}

/** One hostile connection; returns the status that it received, or how it ended. */
function hostile(act) {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => act(socket));
    socket.on("data", (data) => (text += data.toString("latin1", 0, 32)));
    socket.on("error", () => {});
    socket.on("close", () => resolve(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? "closed"));
  });
}

const kinds = {
  "slow sender": async (socket) => {
    for (const byte of `${HEAD}Content-Length: 36\r\n\r\n${PLANT}`) {
      if (isOver() || socket.destroyed) break;
      socket.write(byte);
      await wait(500);
    }
    socket.destroy();
  },
  "half-open socket": async () => {},
  "header flood": (socket) => socket.write(`GET / HTTP/1.1\r\nHost: x\r\n${"X-Flood: flood\r\n".repeat(5000)}\r\n`),
  "body at the limit": (socket) => {
    socket.write(`${HEAD}Connection: close\r\nContent-Length: 1048576\r\n\r\n${PLANT.padEnd(2 ** 20)}`);
  },
  "body over the limit": (socket) => {
    socket.write(`${HEAD}Connection: close\r\nContent-Length: 1048577\r\n\r\n${PLANT.padEnd(2 ** 20 + 1)}`);
  },
  "endless body": async (socket) => {
    socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
    const chunk = `10000\r\n${" ".repeat(65_536)}\r\n`;
    while (!socket.destroyed) if (!socket.write(chunk)) await wait(20);
  },
  pipelining: (socket) => {
    const one = `${HEAD}Content-Length: 36\r\n\r\n${PLANT}`;
    socket.write(`${one.repeat(199)}${one.replace("Host", "Connection: close\r\nHost")}`);
  },
  "cut anywhere": (socket) => {
    const whole = `${HEAD}Content-Length: 36\r\n\r\n${PLANT}`;
    socket.write(whole.slice(0, Math.random() * whole.length), () => socket.resetAndDestroy());
  },
  "no HTTP": (socket) => socket.write("\x16\x03\x01\r\n\r\n"),
};

const outcomes = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, {}]));
async function hostileClient(kind) {
  while (!isOver()) {
    const outcome = await Promise.race([
      hostile(kinds[kind]),
      wait(Math.max(0, end - performance.now())).then(() => "open at the end"),
    ]);
    outcomes[kind][outcome] = (outcomes[kind][outcome] ?? 0) + 1;
    await wait(100);
  }
}

const memory = [];
async function watchMemory() {
  for (; !isOver(); await wait(500)) {
    // Only on Linux, a file shows the memory of another process.
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${mock.pid}/status`, "utf8"));
    memory.push(Math.round(Number(kilobytes) / 1024));
  }
}

const hostileClients = Object.keys(kinds).flatMap((kind) => Array.from({ length: 5 }, () => hostileClient(kind)));
const goodClients = Array.from({ length: Number(values.connections) }, (_, index) => goodClient(index));
await Promise.all([...goodClients, ...hostileClients, watchMemory()]);

const health = await (await fetch(`${url}/_mock/health`)).json();
mock.kill("SIGTERM");
const status = await ended;

latencies.sort((a, b) => a - b);
const at = (share) => latencies[Math.floor((latencies.length - 1) * share)].toFixed(1);
console.log(`${values.connections} connections, ${seconds} s, Node ${process.versions.node}`);
console.log(
  `good requests: ${latencies.length}, ${Math.round(latencies.length / seconds)} a second, by reply:`,
  replies,
);
console.log(`latency in ms: p50 ${at(0.5)}, p99 ${at(0.99)}, max ${at(1)}`);
for (const [kind, counts] of Object.entries(outcomes)) console.log(`hostile, ${kind}:`, counts);
const half = memory.slice(Math.floor(memory.length / 2));
const [early, late] = [half.slice(0, half.length / 2), half.slice(half.length / 2)].map((list) => Math.max(...list));
console.log(
  `memory of the mock in MB: first ${memory[0]}, highest ${Math.max(...memory)}, third quarter ${early}, last quarter ${late}`,
);
console.log(`afterwards: health ${health.status}, exit status ${status} after SIGTERM`);

const isGood = Object.keys(replies).every((reply) => reply === "200" || reply === "400");
if (!isGood || late > early * 1.2 || health.status !== "ok" || status !== 0) {
  console.error("FAILED");
  process.exitCode = 1;
}
setTimeout(() => process.exit(), 1000).unref();
