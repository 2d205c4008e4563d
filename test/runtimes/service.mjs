// A raw service for the suite, on node:net, because no HTTP library would send some of its responses.
//
// The first part of a path selects its behavior; the second identifies one case of one runtime:
// POST /reset/node-22-7/plants. GET /journal/node-22-7 gives what it saw of that case.
import { createServer } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { selfSigned } from "../self-signed.ts";

// Allows exactly the headers that are needed: any other header of the client fails the preflight.
const CORS = "Access-Control-Allow-Origin: *\r\nAccess-Control-Allow-Headers: authorization, content-type\r\n";
const HEAD = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${CORS}`;
const PLACE = "X-Place: Beet 🌱\r\nAccess-Control-Expose-Headers: x-place\r\n";

const behaviors = {
  create: ({ socket, plant }) => answer(socket, "200 OK", JSON.stringify({ name: plant.name, tag: plant.tag })),
  place: ({ socket }) => answer(socket, "200 OK", '{"name":"Fern"}', "application/json", PLACE),
  error: ({ socket }) => answer(socket, "400 Bad Request", '{"error":7,"message":"no more room"}'),
  html: ({ socket }) => answer(socket, "200 OK", "<!doctype html>", "text/html"),
  redirect: ({ socket, key }) =>
    answer(socket, "307 Temporary Redirect", "", "text/plain", `Location: /create/${key}/plants\r\n`),
  misdirected: ({ socket }) => answer(socket, "421 Misdirected Request", ""),
  busy: (post) => (post.count === 1 ? answer(post.socket, "429 Too Many Requests", "") : behaviors.create(post)),
  large: ({ socket }) => answer(socket, "200 OK", JSON.stringify({ name: "x".repeat(2 ** 20) })),
  stall: () => {},
  stallBody: ({ socket }) => socket.write(`${HEAD}Content-Length: 100\r\n\r\n{"name":`),
  truncate: ({ socket }) => socket.end(`${HEAD}Content-Length: 100\r\n\r\n{"name":`),
  reset: ({ socket }) => socket.resetAndDestroy(),
  close: ({ socket }) => socket.end(),
  closeSecond: (post) => (post.count === 1 ? behaviors.create(post) : post.socket.end()),
};

/** Starts the service, together with a port that refuses connections and one with an untrusted certificate. */
export async function startService() {
  const journals = new Map();
  const sockets = new Set();
  const keep = (socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  };
  const service = createServer((socket) => {
    keep(socket);
    readRequests(socket, (request) => respond(request, socket, journals));
  });
  const untrusted = createTlsServer(await selfSigned(), keep)
    .on("connection", keep)
    .on("tlsClientError", () => {});
  const resetting = createServer((socket) => {
    keep(socket);
    socket.once("data", () => socket.resetAndDestroy());
  });
  const gone = createServer();
  const ports = await Promise.all([service, untrusted, gone, resetting].map(listen));
  await new Promise((resolve) => gone.close(resolve));
  return {
    addresses: {
      service: `http://127.0.0.1:${ports[0]}`,
      untrusted: `https://127.0.0.1:${ports[1]}`,
      tlsless: `https://127.0.0.1:${ports[0]}`,
      refusing: `http://127.0.0.1:${ports[2]}`,
      resetting: `https://127.0.0.1:${ports[3]}`,
      nameless: "https://plants.invalid",
    },
    close() {
      for (const socket of sockets) socket.destroy();
      service.close();
      untrusted.close();
      resetting.close();
    },
  };
}

function respond({ method, path, headers, body }, socket, journals) {
  const [, behavior, key] = path.split("/");
  const journal = journals.get(key) ?? [];
  if (behavior === "journal") return answer(socket, "200 OK", JSON.stringify(journal));
  if (!Object.hasOwn(behaviors, behavior)) return answer(socket, "404 Not Found", "");
  journals.set(key, journal);
  journal.push({ method, path, headers, body });
  if (method === "OPTIONS") return answer(socket, "204 No Content");
  const count = journal.filter((request) => request.method === "POST").length;
  const plant = method === "POST" ? JSON.parse(body) : {};
  behaviors[behavior]({ socket, key, plant, count });
}

function answer(socket, status, body, type = "application/json", more = "") {
  const content = body === undefined ? "" : `Content-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  socket.write(`HTTP/1.1 ${status}\r\n${content}${CORS}${more}\r\n${body ?? ""}`);
}

/** As much HTTP/1.1 as needed: sequential requests, with a Content-Length or without a body. */
function readRequests(socket, received) {
  let bytes = Buffer.alloc(0);
  socket.on("data", (chunk) => {
    bytes = Buffer.concat([bytes, chunk]);
    // A TLS handshake, which this server does not speak.
    if (bytes[0] === 0x16) return socket.end("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
    for (;;) {
      const endOfHead = bytes.indexOf("\r\n\r\n");
      if (endOfHead === -1) return;
      const [line, ...fields] = bytes.toString("latin1", 0, endOfHead).split("\r\n");
      const headers = Object.fromEntries(fields.map((field) => /^([^:]+):\s*(.*)$/.exec(field).slice(1)).map(lower));
      const end = endOfHead + 4 + Number(headers["content-length"] ?? 0);
      if (bytes.length < end) return;
      const [method, path] = line.split(" ");
      const body = bytes.toString("utf8", endOfHead + 4, end);
      bytes = bytes.subarray(end);
      received({ method, path, headers, body });
    }
  });
}

const lower = ([name, value]) => [name.toLowerCase(), value];

function listen(server) {
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server.address().port)));
}
