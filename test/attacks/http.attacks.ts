import { ServerResponse } from "node:http";
import { faults } from "plant-store-client/mock";
import {
  connectMockPlantStore,
  type HttpMockPlantStore,
  type StartMockPlantStoreOptions,
  startMockPlantStore,
} from "plant-store-client/mock/http";
import { listen } from "../mock/http/listen.ts";
import { exchange, PLANT, post } from "../mock/http/raw.ts";
import { openRelay } from "../mock/http/relay.ts";
import { type Attack, thrownBy } from "./attack.ts";

/** Runs an attack on its own mock. */
function against(
  attack: string,
  run: (mock: HttpMockPlantStore) => Promise<string>,
  options?: StartMockPlantStoreOptions,
): Attack {
  return {
    attack,
    run: async () => {
      await using mock = await startMockPlantStore(options);
      return await run(mock);
    },
  };
}

/** The statuses on a connection, and how it ended. */
async function conversation(mock: HttpMockPlantStore, sent: string): Promise<string> {
  const { text, code = "closed in order" } = await exchange(mock.url, sent);
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  return [...statuses, code, `${mock.plants.size} stored`].join(", ");
}

/** A control call with a given Host. */
async function controlCall(mock: HttpMockPlantStore, path: string, headers: readonly string[]): Promise<string> {
  const head = [`GET /_mock${path} HTTP/1.1`, ...headers, "Connection: close", "", ""].join("\r\n");
  const { text } = await exchange(mock.url, head);
  return `${text.slice(9, 12)}${text.includes(mock.token) ? ", with the token" : ""}`;
}

/** The state that the console shows. */
async function stateOf(mock: HttpMockPlantStore): Promise<string> {
  const response = await fetch(`${mock.url}/_mock/state`);
  const text = await response.text();
  return `state ${response.status}, ${text.length < 500_000 ? "less" : "more"} than 500 kB`;
}

/** The attacks on the mock on a port. */
export const httpAttacks: readonly Attack[] = [
  against("Bytes after the body of a request that was processed", (mock) => {
    return conversation(mock, `${post(PLANT)}\0junk\r\n\r\n`);
  }),
  against("Junk behind a request that hangs, then a reset", async (mock) => {
    mock.inject(faults.hang());
    const outcome = conversation(mock, `${post(PLANT)}\0junk\r\n\r\n`);
    while (mock.requests.count === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    mock.reset();
    return outcome;
  }),
  against("20,000 requests at once on one connection, none of whose responses is read", async (mock) => {
    const ended = await conversation(mock, post(PLANT).repeat(20_000));
    // Node 26 resets a connection from which it has not read everything.
    return ended.replace(/closed in order|ECONNRESET/, "closed");
  }),
  against("A reply that node:http refuses to send", async (mock) => {
    const { writeHead } = ServerResponse.prototype;
    ServerResponse.prototype.writeHead = () => {
      throw new TypeError("refused");
    };
    const first = await conversation(mock, post(PLANT));
    ServerResponse.prototype.writeHead = writeHead;
    const next = await conversation(mock, post(PLANT, ["Connection: close"]));
    return `${first}; next request: ${next}; ${await thrownBy(() => mock.verify())}`.replaceAll("\n", " ");
  }),
  against("A reply whose header `Trailer` ended the process", (mock) => {
    return thrownBy(() => mock.inject(faults.reply({ status: 500, headers: { Trailer: "x" }, body: "x" })));
  }),
  against(
    "A forged `Host: localhost` on a mock that other machines reach",
    async (mock) => `sessions ${await controlCall(mock, "/sessions", ["Host: localhost"])}`,
    { host: "0.0.0.0" },
  ),
  against(
    "Probes by a container's name",
    async (mock) => `health ${await controlCall(mock, "/health", ["Host: mock:4010"])}`,
    { host: "0.0.0.0" },
  ),
  against(
    "A container's name with the control token, which did not help",
    async (mock) =>
      `sessions ${await controlCall(mock, "/sessions", ["Host: mock", "Authorization: Bearer control-secret"])}`,
    { host: "0.0.0.0", controlToken: "control-secret" },
  ),
  against("The state for a page of another site, whose GET has no Origin", async (mock) => {
    return `state ${await controlCall(mock, "/state", ["Host: localhost", "Sec-Fetch-Site: cross-site"])}`;
  }),
  against("DNS rebinding, where Host and Origin agree", async (mock) => {
    return `sessions ${await controlCall(mock, "/sessions", ["Host: evil.test", "Origin: http://evil.test"])}`;
  }),
  against("A fault with a response of 1 MiB, then a list of the 600 requests that it affected", async (mock) => {
    mock.inject(faults.reply({ status: 500, body: "x".repeat(2 ** 20) }), { times: 600 });
    const init = { method: "POST", headers: { authorization: "Bearer t" } };
    for (let i = 0; i < 600; i++) await mock.handle(new Request(`${mock.baseUrl}/plants`, init));
    const { status } = await fetch(`${mock.url}/_mock/requests?limit=1000`);
    return `list ${status}, ${await stateOf(mock)}`;
  }),
  against("A response nested 4,000 levels deep, which ended the process when somebody watched", async (mock) => {
    const body = JSON.parse("[".repeat(4_000) + "]".repeat(4_000));
    const refusal = await thrownBy(() => mock.inject(faults.reply({ status: 500, body })));
    return `${refusal}; ${await stateOf(mock)}`;
  }),
  against("Reading every token from `GET /_mock/state`", async (mock) => {
    const text = await (await fetch(`${mock.url}/_mock/state`)).text();
    return text.includes(mock.token) ? "the token is there" : "labels alone";
  }),
  {
    attack: "A handle of a mock that was started again, which wrote into another client's session",
    run: async () => {
      const first = await startMockPlantStore();
      await using relay = await openRelay(first);
      const remote = await connectMockPlantStore(relay.url);
      await first.close();
      await using second = await startMockPlantStore();
      relay.leadTo(second);
      await remote.plants.size.catch(() => {}); // The connection of the first one may not have closed yet.
      const thrown = await thrownBy(() => remote.plants.add({ id: 1, name: "a" }));
      return `${thrown}; ${second.plants.size} stored`;
    },
  },
  against("A remote call with an id that a number rounds", async (mock) => {
    await using remote = await connectMockPlantStore(mock.url);
    return thrownBy(() => remote.plants.get(2 ** 53));
  }),
  {
    attack: "`connectMockPlantStore` to a server that is not a mock",
    run: async () => {
      await using server = await listen((_request, response) => response.end("<html>"));
      const thrown = await thrownBy(() => connectMockPlantStore(server.url));
      return thrown.replaceAll(server.url, "http://127.0.0.1:PORT");
    },
  },
  {
    attack: "`verify()` after another server has taken the port of the mock, which answers 204 to everything",
    run: async () => {
      const mock = await startMockPlantStore();
      await using relay = await openRelay(mock);
      const remote = await connectMockPlantStore(relay.url);
      await mock.close();
      await using server = await listen((_request, response) => response.writeHead(204).end());
      relay.leadTo(server);
      await remote.plants.size.catch(() => {}); // The connection of the mock may not have closed yet.
      const thrown = await thrownBy(() => remote.verify());
      return thrown.replaceAll(relay.url, "http://127.0.0.1:PORT");
    },
  },
  against('A misspelled key: `POST /_mock/faults {"fault":…,"tims":3}`', async (mock) => {
    const body = '{"fault":{"type":"hang"},"tims":3}';
    const reply = await fetch(`${mock.url}/_mock/faults`, { method: "POST", body });
    return `${reply.status}: ${(await reply.json()).message}`;
  }),
  against(
    "`--cors` and a reply with an Access-Control-Allow-Origin of its own, which sent two",
    async (mock) => {
      mock.inject(faults.reply({ status: 500, headers: { "Access-Control-Allow-Origin": "http://one.test" } }));
      const { text } = await exchange(mock.url, post(PLANT, ["Connection: close"]));
      return [...text.matchAll(/Access-Control-Allow-Origin: (.+)\r/g)].map(([, value]) => value).join(" and ");
    },
    { cors: true },
  ),
];
