// What speaks HTTP/2 by itself: the fetch of Node 26, and an Agent of undici 8 that the application passes. Over it, only a
// GOAWAY proves something, and nothing is sent twice. It prints how each case went.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { constants, createSecureServer } from "node:http2";
import { createRequire } from "node:module";
import { setTimeout as pause } from "node:timers/promises";
import { PlantStoreClient } from "plant-store-client";

const copies = [{ PlantStoreClient }, createRequire(import.meta.url)("plant-store-client")];
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
  "says goodbye after it, and closes": ({ stream, socket }) => {
    stream.session.goaway(constants.NGHTTP2_NO_ERROR, stream.id);
    socket.end();
  },
};

/** How a service ends a session after two requests, and leaves the later ones out. */
const goodbyes = {
  "says goodbye": (session) => session.goaway(constants.NGHTTP2_NO_ERROR, 3),
  "says goodbye, with the code of an error": (session) => session.goaway(constants.NGHTTP2_INTERNAL_ERROR, 3),
  "announces its end, and then says goodbye": (session) => {
    session.goaway(constants.NGHTTP2_NO_ERROR, 2 ** 31 - 1);
    setTimeout(() => session.goaway(constants.NGHTTP2_NO_ERROR, 3), 20);
  },
};

const results = [];
Math.random = () => 0; // no jitter: retries follow at once
for (const transport of transports) {
  const { name, version, fetch } = transport;
  await run(
    `${name} speaks HTTP/${version} to a service that offers both`,
    create,
    fetch,
    async ({ createPlant, seen }) => {
      equal((await createPlant()).plant?.name, "Fern");
      equal(seen, [version]);
    },
  );
  if (version !== "2.0") continue;
  for (const [what, end] of Object.entries(endings)) {
    await run(
      `${name}: one plant, and an unknown outcome, if the service ${what}`,
      end,
      fetch,
      async ({ createPlant, seen }) => {
        const { outcome, attempts } = await createPlant();
        // A request that is sent again comes late.
        await pause(100);
        equal([outcome, attempts.length, seen.length], ["unknown", 1, 1]);
      },
    );
  }
  for (const [what, end] of Object.entries(goodbyes)) {
    const leaveOut = (request) => {
      const { isFirstSession, stream } = request;
      if (!isFirstSession || stream.id < 5) create(request);
      else if (stream.id === 5) end(stream.session);
    };
    const title = `${name}: two copies of the client send again what the service left out when it ${what}`;
    await run(title, leaveOut, fetch, async ({ createPlant }) => {
      for (const copy of copies) await createPlant(copy);
      const both = await Promise.all(copies.map(createPlant));
      const reasons = both.map(({ attempts }) => attempts.map(({ reason }) => reason).join());
      equal(reasons, ["network,ok", "network,ok"]);
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

/** Runs a case against its own service. */
async function run(name, answer, fetch, check) {
  const sockets = [];
  const sessions = [];
  const seen = [];
  const server = createSecureServer({ ...identity, allowHTTP1: true });
  server.on("connection", (socket) => sockets.push(socket.on("error", () => {})));
  server.on("session", (session) => sessions.push(session.on("error", () => {})));
  server.on("request", (request, response) => {
    const { httpVersion, stream } = request;
    stream?.on("error", () => {});
    request.resume().on("end", () => {
      seen.push(httpVersion);
      const isFirstSession = stream?.session === sessions[0];
      answer({ stream, response, socket: sockets.at(-1), isFirstSession });
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const options = { baseUrl: `https://127.0.0.1:${server.address().port}`, token: "secret", fetch };
  const createPlant = (copy = copies[0]) => new copy.PlantStoreClient(options).tryCreatePlant({ id: 1, name: "Fern" });
  try {
    await check({ createPlant, seen });
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
