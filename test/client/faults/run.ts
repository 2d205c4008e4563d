// Runs every fault by one transport (`fetch` or `undici`), in a process of its own that nothing may keep alive, and
// prints what was seen as JSON.
import { once } from "node:events";
import { type CreatePlantResult, type FetchLike, PlantStoreClient } from "plant-store-client";
import { createUndiciFetch } from "plant-store-client/undici";
import { lateDeadline } from "../../parity/late-deadline.ts";
import type { Fault, Report, Stage } from "./fault.ts";
import { faults } from "./faults.ts";
import { type Behavior, PLANT, type Post, reply, ScriptedServer } from "./server.ts";

/** What one fault did: what the reader of the table sees, and what must not be seen at all. */
export interface Seen extends Report {
  readonly name: string;
  /** How often the plant that was processed most often was processed. */
  readonly mostProcessed: number;
  /** Requests with another method. */
  readonly others: number;
  /** Rejections and exceptions that nobody handled. */
  readonly unhandled: readonly string[];
  /** What would keep the process alive. */
  readonly leftOpen: readonly string[];
}

const healthy = (post: Post) => {
  post.process();
  reply(post.socket, "200 OK", PLANT);
};

let unhandled: string[] = [];
process.on("unhandledRejection", (reason) => unhandled.push(`rejection: ${reason}`));
process.on("uncaughtException", (error) => unhandled.push(`exception: ${error}`));

async function run(fault: Fault, transport: string): Promise<Seen> {
  const before = process.getActiveResourcesInfo();
  const controller = new AbortController();
  const behavior = (): Behavior => {
    const service = fault.service?.(stage) ?? healthy;
    return typeof service === "function" ? { posted: service } : service;
  };
  let server: ScriptedServer | undefined;
  const stage: Stage = {
    port: fault.isKnown ? await createFirst() : 0,
    abort: () => controller.abort(new Error("enough")),
    start: async () => {
      server = await ScriptedServer.start(behavior(), { tls: fault.place === "tls", port: stage.port });
      return server;
    },
  };
  const first = await stage.start();
  Object.assign(stage, { port: first.port });
  if (fault.place === "down") await first.close();

  const undici = transport === "undici" ? createUndiciFetch() : undefined;
  const send: FetchLike = async (url, init) => {
    const response = await (undici ?? globalThis.fetch)(url, init);
    fault.answered?.(stage);
    return response;
  };
  const options = {
    baseUrl: (fault.baseUrl ?? ((port) => `http://127.0.0.1:${port}`))(stage.port),
    token: "a-token-of-the-fault-table",
    // The defaults, which options.test.ts shows.
    ...{ timeoutMs: 30_000, maxRetries: 2, retry: "safe" as const },
    // One that is the application's own proves less.
    fetch: fault.answered ? send : undici,
    ...fault.client?.(stage),
  };
  const hasArrived = () => (server?.posts ?? 0) >= fault.expected.posts;
  // Without jitter.
  const clock = { ...lateDeadline(fault.call?.timeoutMs, hasArrived), random: () => 0 };
  const client = new PlantStoreClient({ ...options, clock });
  if (fault.isReused) await client.createPlant({ id: 1, name: "Fern" });
  const earlier = { posts: server?.posts ?? 0, processed: sum(server) };
  const result = await client.tryCreatePlant({ id: 7, name: "Fern" }, { ...fault.call, signal: controller.signal });
  await server?.close();
  await undici?.close();
  const leftOpen = await whatStays(before);
  const seen = unhandled;
  unhandled = [];
  return {
    name: fault.name,
    posts: (server?.posts ?? 0) - earlier.posts,
    processed: sum(server) - earlier.processed,
    ...reportOf(result),
    mostProcessed: Math.max(0, ...(server?.processed.values() ?? [])),
    others: server?.others ?? 0,
    unhandled: seen,
    leftOpen,
  };
}

function sum(server: ScriptedServer | undefined): number {
  return [...(server?.processed.values() ?? [])].reduce((total, count) => total + count, 0);
}

function reportOf(result: CreatePlantResult): Pick<Report, "result" | "outcome" | "attempts"> {
  const attempts = result.attempts.length;
  if (result.ok) return { result: "created", outcome: "–", attempts };
  const { error } = result;
  const { kind, outcome } = error;
  return { result: kind === "response" ? `response (${error.reason})` : kind, outcome, attempts };
}

/** What a row leaves open: sockets are gone after some turns of the loop, a timer of 20 seconds or more is not. */
async function whatStays(before: readonly string[]): Promise<string[]> {
  const stays = () => {
    const rest = process.getActiveResourcesInfo();
    for (const each of before) if (rest.includes(each)) rest.splice(rest.indexOf(each), 1);
    return rest.filter((each) => each !== "Immediate");
  };
  const end = Date.now() + 10_000;
  // Two turns at least, in which a rejection that nobody handles is reported.
  for (let turn = 0; turn < 2 || (stays().length > 0 && Date.now() < end); turn++) await new Promise(setImmediate);
  return stays();
}

/** Creates plants behind TLS through the runtime's `fetch`, and returns the port of the service, which is closed then. */
async function createFirst(): Promise<number> {
  const server = await ScriptedServer.start(
    { posted: ({ socket }) => reply(socket, "200 OK", PLANT, "Connection: close") },
    { tls: true },
  );
  const { port } = server;
  const client = new PlantStoreClient({ baseUrl: `https://127.0.0.1:${port}`, token: "secret" });
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
  for (const id of [1, 2]) await client.createPlant({ id, name: "Fern" });
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
  await server.close();
  return port;
}

const [, , transport = "fetch"] = process.argv;
const seen: Seen[] = [];
for (const fault of faults) seen.push(await run(fault, transport));
if (!process.stdout.write(JSON.stringify(seen))) await once(process.stdout, "drain");
