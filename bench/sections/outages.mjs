import { dist } from "../lib/build.mjs";
import { JumpingClock } from "../outages/clock.mjs";

const PLANTS = 5_000;
const LATENCY_MS = 30;
const DOWN_FROM_MS = 2_000;
const DOWN_FOR_MS = 20_000;
const SEEDS = [1, 2, 3];

const page = (status, headers = {}) =>
  new Response("<h1>page</h1>", { status, headers: { "content-type": "text/html", ...headers } });
const error = (status) => Response.json({ error: 1, message: "boom" }, { status });
function networkError(code, syscall) {
  const cause = Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
  throw Object.assign(new TypeError("fetch failed"), { cause });
}

/** What a service that is down does with a request. */
const TROUBLES = {
  "502 with a page": () => page(502),
  "500 with the contract's Error": () => error(500),
  "connection reset": () => networkError("ECONNRESET", "read"),
  "login page with 200": () => page(200),
  "no response within 5 s": () => new Promise(() => {}),
  "503 with a page and Retry-After": () => page(503, { "retry-after": "5" }),
  401: () => error(401),
  "404 with a page": () => page(404),
  "token provider fails": undefined,
  "connection refused": () => networkError("ECONNREFUSED", "connect"),
};
/** Troubles that leave no plant unknown. */
const HARMLESS = ["401", "404 with a page", "token provider fails", "connection refused"];

export const title = "Outages: a service that is down for twenty seconds";

export async function run({ quick, log }) {
  const client = await import(dist("index.js"));
  const rows = [];
  const worst = { lost: 0, twice: 0, unknown: 0, harmless: 0, backMs: 0 };
  for (const [name, trouble] of Object.entries(TROUBLES)) {
    const seen = [];
    for (const seed of quick ? [1] : SEEDS) seen.push(await measure(client, trouble, seed));
    log(`${name}: ${JSON.stringify(seen)}`);
    const most = (figure) => Math.max(...seen.map((run) => run[figure]));
    rows.push([name, most("unknown"), most("lost"), most("twice"), `${(most("backMs") / 1000).toFixed(1)} s`]);
    for (const figure of ["lost", "twice", "unknown", "backMs"]) worst[figure] = Math.max(worst[figure], most(figure));
    if (HARMLESS.includes(name)) worst.harmless = Math.max(worst.harmless, most("unknown"));
  }
  const target = (figure, value, atMost) => ({ figure, value, least: value, greatest: value, atMost });
  return {
    note: "The most of three runs in simulated time.",
    columns: ["failure", "plants unknown", "lost", "created twice", "first plant after the outage"],
    rows,
    targets: [
      target("plants lost or created twice", worst.lost + worst.twice, 0),
      target("plants unknown", worst.unknown, 40),
      target("plants unknown, where none can exist", worst.harmless, 0),
      target("seconds until the first plant", worst.backMs / 1000, 20),
    ],
    versions: `Node ${process.versions.node}, ${PLANTS.toLocaleString("en")} plants, 16 at once, ${LATENCY_MS} ms each`,
  };
}

async function measure({ createPlants, PlantStoreClient }, trouble, seed) {
  const clock = new JumpingClock(seed);
  const stored = [];
  let backMs = Number.POSITIVE_INFINITY;
  const isDown = () => clock.now() >= DOWN_FROM_MS && clock.now() < DOWN_FROM_MS + DOWN_FOR_MS;
  const fetch = async (_url, { body }) => {
    await clock.sleep(LATENCY_MS / 2);
    const fails = trouble !== undefined && isDown();
    if (!fails) stored.push(JSON.parse(body).id);
    await clock.sleep(LATENCY_MS / 2);
    if (fails) return trouble();
    const sinceMs = clock.now() - DOWN_FROM_MS - DOWN_FOR_MS;
    if (sinceMs > 0) backMs = Math.min(backMs, sinceMs);
    return Response.json({ name: "Monstera" });
  };
  // Its errors are those of the runtime.
  Object.assign(fetch, { [Symbol.for("plant-store-client.watched")]: true });
  const token = async () => {
    if (trouble === undefined && isDown()) throw new Error("the token service is down");
    return "secret";
  };
  const client = new PlantStoreClient({ baseUrl: "https://plants.example", token, fetch, clock, timeoutMs: 5_000 });
  const plants = Array.from({ length: PLANTS }, (_, id) => ({ id, name: "Monstera" }));
  const unknown = new Set();
  const importPlants = async () => {
    for await (const { index, outcome } of createPlants(client, plants)) if (outcome === "unknown") unknown.add(index);
  };
  await clock.until(importPlants());
  const created = new Set(stored);
  const lost = plants.filter(({ id }) => !created.has(id) && !unknown.has(id)).length;
  return { unknown: unknown.size, lost, twice: stored.length - created.size, backMs };
}
