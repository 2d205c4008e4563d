import { PlantStoreClient } from "plant-store-client";
import { faults } from "plant-store-client/mock";
import { creating, failing, type Group, messageOf, type Row, receiving } from "./row.ts";

const html = { "content-type": "text/html" };

const making: readonly Row[] = [
  {
    produce: () => messageOf(() => new PlantStoreClient({ token: "token" })),
    meaning: "Neither the option nor the environment variable is set. An empty variable counts as missing.",
    fix: "Set one of them; in browsers, and in Workers [without a flag](runtimes.md#cloudflare-workers), pass the option. If a build fails with it, [create the client at the first request](runtimes.md#nextjs-sveltekit-react-router).",
  },
];

const beforeSending: readonly Row[] = [
  {
    produce: creating(undefined, { token: () => Promise.reject(new Error("the login service is down")) }),
    meaning: "The token provider threw, or returned an invalid token.",
    fix: "Read `cause`: it is the error that the provider threw.",
  },
];

const refusing: readonly Row[] = [
  {
    produce: receiving(403, { "content-type": "application/problem+json" }, { title: "Out of credit" }),
    meaning:
      "A gateway or another service responded in a form of its own; the message shows its title, detail or message.",
    fix: "Read `bodyText` for the rest.",
  },
  {
    produce: receiving(
      429,
      { "content-type": "application/json", "retry-after": "120" },
      { error: 42901, message: "too many requests; try again after 120 s" },
    ),
    meaning: "The service accepts no requests for 120 seconds. The client itself waits at most 60 seconds.",
    fix: "Wait for `retryAfterMs` milliseconds, or use `createPlants`, which keeps to the limit: see [Many plants](many-plants.md).",
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
    meaning: "The service failed, perhaps after it had created the plant, or a gateway in front of it (502, 504).",
    fix: "[Act on the outcome](errors.md#act-on-the-outcome).",
  },
  {
    produce: creating(faults.connectionRefused()),
    meaning: "No program listens at this address.",
    fix: "Start the service, or correct `baseUrl`. The client has tried again already: see `attempts`.",
  },
  {
    produce: failing("getaddrinfo ENOTFOUND plant-store.test", { code: "ENOTFOUND", syscall: "getaddrinfo" }),
    meaning: "The host name has no address (`EAI_AGAIN`: the name server does not respond).",
    fix: "Correct `baseUrl`, or repair the DNS.",
  },
  {
    produce: failing("self-signed certificate", { code: "DEPTH_ZERO_SELF_SIGNED_CERT" }),
    meaning:
      "The runtime does not trust the certificate of the service or of a proxy. An expired one has its own message.",
    fix: "Renew or [trust the certificate](runtimes.md#certificates); never turn verification off.",
  },
  {
    produce: creating(faults.lostResponse()),
    meaning:
      "The connection was closed (or reset: `read ECONNRESET`) before the whole response arrived. The service may have created the plant.",
    fix: "[Act on the outcome](errors.md#act-on-the-outcome).",
  },
  {
    produce: creating(undefined, { fetch: () => Promise.reject(new TypeError("Failed to fetch")) }),
    meaning:
      "The page may not call the service (CORS, Content-Security-Policy), or cannot reach it. Firefox says `NetworkError when attempting to fetch resource.`, Safari `Load failed`.",
    fix: "Read the browser's console, which has the reason: see [browsers](runtimes.md#browsers).",
  },
  {
    produce: failing("the service sent a body with Content-Encoding zstd, which this runtime cannot decode", {
      code: "",
    }),
    meaning:
      "Through `createUndiciFetch()`, a response was compressed in a way that the runtime cannot undo: Node 20 has no zstd.",
    fix: "Use a newer Node, or the global `fetch`, or let the service send gzip. The plant may have been created.",
  },
  {
    produce: creating(faults.hang(), { timeoutMs: 20 }, { time: "virtual" }),
    meaning: "The deadline of the whole call passed, retries and waits included. The default is 30 seconds.",
    fix: "[Act on the outcome](errors.md#act-on-the-outcome); a longer `timeoutMs` gives the service more time.",
  },
  {
    produce: creating(undefined, {
      fetch: () => Promise.reject(new TypeError("fetch failed", { cause: new Error("Headers Timeout Error") })),
    }),
    meaning:
      "Node's own `fetch` waits at most 300 seconds for the headers of a response, even if `timeoutMs` is longer, and as long for the next part of its body (`Body Timeout Error`).",
    fix: "Pass [`createUndiciFetch()`](many-plants.md#faster-on-node) as `fetch`: it waits until the deadline.",
  },
  {
    produce: receiving(200, html, "<h1>Log in</h1>"),
    meaning: "A login page, a proxy, or the index page of an application responded instead of the service.",
    fix: "Correct `baseUrl`, or log in to the proxy. With `NODE_USE_ENV_PROXY=1`, set `NO_PROXY=localhost,127.0.0.1` for a mock on a port.",
  },
  {
    produce: receiving(200, { "content-type": "application/json" }, { tag: 7 }),
    meaning: "The body of the response is not a Plant.",
    fix: "Report it to the operator of the service, with `bodyText`, the body of the response.",
  },
];

export const clientGroups: readonly Group[] = [
  { title: "Making a client", rows: making },
  { title: "Before anything is sent", rows: beforeSending },
  { title: "The service refuses", rows: refusing },
  { title: "No usable response", rows: withoutResponse },
];
