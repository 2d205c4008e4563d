import { PlantStoreClient } from "plant-store-client";
import { faults } from "plant-store-client/mock";
import { creating, failing, type Group, messageOf, type Row, receiving } from "./row.ts";

const html = { "content-type": "text/html" };

const making: readonly Row[] = [
  {
    produce: () => messageOf(() => new PlantStoreClient({ token: "token" })),
    meaning: "Neither the option nor the environment variable is set.",
    fix: "Set one of them; in browsers, pass the option. If a build fails with it, create the client at the first request.",
  },
];

const refusing: readonly Row[] = [
  {
    produce: receiving(
      429,
      { "content-type": "application/json", "retry-after": "120" },
      { error: 42901, message: "too many requests; try again after 120 s" },
    ),
    meaning: "The service accepts no requests for 120 seconds, and the client waits at most 60.",
    fix: "Wait for `retryAfterMs` milliseconds, or use [`createPlants`](many-plants.md), which keeps to the limit.",
  },
  {
    produce: receiving(404, html, "<h1>Not found</h1>"),
    meaning: "Most often `baseUrl` has a wrong path: requests go to `<baseUrl>/plants`.",
    fix: "Correct `baseUrl`. `bodyText` has the beginning of the response.",
  },
];

const withoutResponse: readonly Row[] = [
  {
    produce: receiving(500, { "content-type": "application/json" }, { error: 1, message: "out of memory" }),
    meaning: "The service or a gateway failed, perhaps after the plant was created.",
    fix: "[Find out whether the plant exists](errors.md#resolve-an-unknown-outcome).",
  },
  {
    produce: creating(faults.connectionRefused()),
    meaning: "No program listens at this address.",
    fix: "Start the service, or correct `baseUrl`. The client has tried again already: see `attempts`.",
  },
  {
    produce: failing("self-signed certificate", { code: "DEPTH_ZERO_SELF_SIGNED_CERT" }),
    meaning: "The runtime does not trust the certificate of the service or of a proxy.",
    fix: "Renew or [trust the certificate](runtimes.md#certificates); never turn verification off.",
  },
  {
    produce: creating(faults.lostResponse()),
    meaning: "The connection was closed (or reset: `read ECONNRESET`) before the whole response arrived.",
    fix: "[Find out whether the plant exists](errors.md#resolve-an-unknown-outcome).",
  },
  {
    produce: creating(undefined, { fetch: () => Promise.reject(new TypeError("Failed to fetch")) }),
    meaning:
      "The page may not call the service (CORS, Content-Security-Policy), or cannot reach it. Firefox says `NetworkError`, Safari `Load failed`.",
    fix: "Read the browser's console, which has the reason: see [browsers](runtimes.md#browsers).",
  },
  {
    produce: creating(faults.hang(), { timeoutMs: 20 }, { time: "virtual" }),
    meaning: "The deadline of the whole call passed.",
    fix: "[Find out whether the plant exists](errors.md#resolve-an-unknown-outcome); a longer `timeoutMs` gives the service more time.",
  },
  {
    produce: creating(undefined, {
      fetch: () => Promise.reject(new TypeError("fetch failed", { cause: new Error("Headers Timeout Error") })),
    }),
    meaning:
      "Node's own `fetch` waits at most 300 seconds for headers or the next part of a body, even if `timeoutMs` is longer.",
    fix: "Pass [`createUndiciFetch()`](many-plants.md#faster-on-node) as `fetch`: it waits until the deadline.",
  },
  {
    produce: receiving(200, html, "<h1>Log in</h1>"),
    meaning: "A login page or a proxy responded instead of the service.",
    fix: "Correct `baseUrl`, or log in to the proxy. With `NODE_USE_ENV_PROXY=1`, set `NO_PROXY=localhost,127.0.0.1` for a mock on a port.",
  },
];

export const clientGroups: readonly Group[] = [
  { title: "Making a client", rows: making },
  { title: "The service refuses", rows: refusing },
  { title: "No usable response", rows: withoutResponse },
];
