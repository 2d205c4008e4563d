// What speaks HTTP/2 by itself: the fetch of Node 26, and an Agent of undici 8 that the application passes. Over it, no
// failure proves anything, and nothing is sent twice. It prints how each case went.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { constants, createSecureServer } from "node:http2";
import { PlantStoreClient } from "plant-store-client";

const { undici } = JSON.parse(process.argv[2]);
const identity = { key: readFileSync("key.pem"), cert: readFileSync("certificate.pem") };
const transports = undici ? await transportsOfUndici() : [{ name: "the global fetch", version: "2.0" }];

/** What a service may do to a request that it has processed. */
const endings = {
  "resets the connection": ({ socket }) => socket.resetAndDestroy(),
  "refuses the stream": ({ stream }) => stream.close(constants.NGHTTP2_REFUSED_STREAM),
  "resets the stream": ({ stream }) => stream.close(constants.NGHTTP2_INTERNAL_ERROR),
  "says goodbye, with the code of a refusal": ({ stream }) =>
    stream.session.goaway(constants.NGHTTP2_REFUSED_STREAM, stream.id),
};

const results = [];
Math.random = () => 0; // no jitter: retries follow at once
for (const transport of transports) {
  const { name, version, fetch } = transport;
  await run(`${name} speaks HTTP/${version} to a service that offers both`, create, fetch, ({ result, seen }) => {
    equal([result.plant?.name, seen.map(({ httpVersion }) => httpVersion)], ["Fern", [version]]);
  });
  if (version !== "2.0") continue;
  for (const [what, end] of Object.entries(endings)) {
    await run(`${name}: one plant, and an unknown outcome, if the service ${what}`, end, fetch, ({ result, seen }) => {
      equal([result.outcome, result.attempts.length, seen.length], ["unknown", 1, 1]);
    });
  }
}
for (const { close } of transports) await close?.();
console.log(JSON.stringify(results));

async function transportsOfUndici() {
  const { createUndiciFetch } = await import("plant-store-client/undici");
  const { Agent } = await import("undici");
  const fetch = createUndiciFetch();
  const dispatcher = new Agent({ allowH2: true });
  return [
    { name: "createUndiciFetch()", version: "1.1", fetch, close: () => fetch.close() },
    {
      ...{ name: "an Agent of the application", version: "2.0" },
      fetch: createUndiciFetch({ dispatcher }),
      close: () => dispatcher.destroy(),
    },
  ];
}

function create({ response }) {
  response.writeHead(200, { "content-type": "application/json" }).end('{"name":"Fern"}');
}

/** One create, against its own service. */
async function run(name, answer, fetch, check) {
  const sockets = [];
  const seen = [];
  const server = createSecureServer({ ...identity, allowHTTP1: true });
  server.on("connection", (socket) => sockets.push(socket.on("error", () => {})));
  server.on("session", (session) => session.on("error", () => {}));
  server.on("request", (request, response) => {
    const { httpVersion, stream } = request;
    stream?.on("error", () => {});
    request.resume().on("end", () => {
      seen.push({ httpVersion });
      answer({ stream, response, socket: sockets.at(-1) });
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const baseUrl = `https://127.0.0.1:${server.address().port}`;
    const result = await new PlantStoreClient({ baseUrl, token: "secret", fetch }).tryCreatePlant({
      id: 1,
      name: "Fern",
    });
    // A request that is sent again comes late.
    await new Promise((resolve) => setTimeout(resolve, 100));
    check({ result, seen });
    results.push({ name });
  } catch (error) {
    results.push({ name, problem: `${error?.stack ?? error}` });
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}

function equal(actual, expected) {
  const [a, b] = [actual, expected].map((value) => JSON.stringify(value));
  if (a !== b) throw new Error(`${a} is not ${b}`);
}
