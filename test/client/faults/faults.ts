import { gzipSync } from "node:zlib";
import {
  answers,
  answersCreated,
  answersOnce,
  closes,
  drips,
  ends,
  floods,
  HEAD,
  processed,
  resets,
  silent,
  writes,
} from "./behaviors.ts";
import type { Fault, Report } from "./fault.ts";
import { PLANT, reply } from "./server.ts";

const AN_ERROR = '{"error":7,"message":"no"}';
const HTML = "<!doctype html><title>Proxy</title>";
const LENGTH_OF_100 = `${HEAD}Content-Length: 100\r\n\r\n`;
const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`;

type Counts = { posts?: number; processed?: number; attempts?: number };

const created = (posts = 1, attempts = posts): Report => ({
  ...{ posts, processed: 1, attempts },
  ...{ result: "created", outcome: "–" },
});

const failed = (
  result: Report["result"],
  outcome: Report["outcome"],
  { posts = 1, processed = 0, attempts = Math.max(1, posts) }: Counts = {},
): Report => ({ posts, processed, result, outcome, attempts });

/** The service had processed the plant, and the client cannot know it. */
const lost = (result: Report["result"]): Report => failed(result, "unknown", { processed: 1 });

/** Nothing was sent, in so many attempts. */
const unsent = (result: Report["result"], attempts: number): Report =>
  failed(result, "not-sent", { posts: 0, attempts });

type Service = NonNullable<Fault["service"]>;
type More = Omit<Fault, "name" | "expected" | "service">;

const fault = (name: string, expected: Report, service: Service, more: More = {}): Fault => ({
  ...{ name, expected, service },
  ...more,
});

/** A fault of which the deadline is the end. */
const late = (name: string, service: Service): Fault => fault(name, lost("timeout"), service, { call: SHORT });
const SHORT = { timeoutMs: 100 };

/** Addressed by https; where an earlier call has created a plant, also a `fetch` that did not call its hook proves something. */
const https: More = { baseUrl: (port) => `https://127.0.0.1:${port}` };
const knownHttps: More = { ...https, isKnown: true };

const connecting: Fault[] = [
  { name: "connection refused", place: "down", expected: unsent("connection", 3) },
  {
    ...{ name: "connection refused at each address of a host name", place: "down" },
    baseUrl: (port) => `http://localhost:${port}`,
    expected: unsent("connection", 3),
  },
  {
    ...{ name: "connection refused, then the service is up", place: "down" },
    client: ({ start }) => ({ onAttempt: ({ number }) => (number === 1 ? void start() : undefined) }),
    expected: created(1, 2),
  },
  { name: "DNS failure", baseUrl: () => "https://plants.invalid", expected: unsent("connection", 3) },
  { name: "a self-signed certificate", place: "tls", ...https, expected: unsent("connection", 1) },
  fault(
    "https spoken to a server that speaks plain HTTP",
    unsent("connection", 1),
    () => ({ connected: (socket) => socket.once("data", () => reply(socket, "400 Bad Request", "")) }),
    https,
  ),
  fault(
    "connection closed during the TLS handshake",
    unsent("connection", 3),
    () => ({ connected: (socket) => socket.once("data", () => socket.end()) }),
    knownHttps,
  ),
  fault(
    "connection reset during the TLS handshake",
    unsent("connection", 3),
    () => ({ connected: (socket) => socket.once("data", () => socket.resetAndDestroy()) }),
    knownHttps,
  ),
  {
    ...{ name: "plain HTTP spoken to a server that speaks TLS", place: "tls" },
    baseUrl: (port) => `http://127.0.0.1:${port}`,
    expected: failed("connection", "unknown", { posts: 0 }),
  },
];

const beforeReply: Fault[] = [
  fault("reset before the request is read", failed("connection", "unknown", { posts: 0 }), () => ({
    // Not before its bytes are there: a connection that is reset earlier proves that there are none.
    connected: (socket) => socket.once("readable", () => socket.resetAndDestroy()),
  })),
  fault("closed before the request is read", failed("connection", "unknown", { posts: 0 }), () => ({
    connected: (socket) => socket.end(),
  })),
  fault("reset after the request was read, before it is processed", failed("connection", "unknown"), () => resets),
  fault("reset after the plant was processed", lost("connection"), processed(resets)),
  fault("closed without a response", lost("connection"), processed(closes)),
  fault(
    "a connection left open by an earlier call is closed at the next POST, without a response",
    lost("connection"),
    processed((post) => (post.number === 1 ? reply(post.socket, "200 OK", PLANT) : closes(post))),
    { isReused: true },
  ),
  late("stalled before the response", processed(silent)),
  late("stalled within the response's headers", processed(writes(HEAD))),
  late("slow drip of headers past the deadline", processed(drips(HEAD, "X-Slow: 1\r\n"))),
  fault("closed within the response's headers", lost("connection"), processed(ends(HEAD))),
  fault("garbage instead of a response", lost("connection"), processed(ends("\u0016\u0003 this is not HTTP\r\n\r\n"))),
  fault("headers without end", lost("connection"), processed(floods(HEAD, `X-Long: ${"x".repeat(1000)}\r\n`))),
  fault("a header that is not ASCII, then the plant", created(), answersCreated("200 OK", PLANT, "X-Gardener: Łucja")),
  fault(
    "103 Early Hints, then the plant",
    created(),
    processed(({ socket }) => {
      socket.write("HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n");
      reply(socket, "200 OK", PLANT);
    }),
  ),
];

const inBody: Fault[] = [
  late("stalled within the body", processed(writes(`${LENGTH_OF_100}{"name":`))),
  late("stalled within a chunked body", processed(writes(`${CHUNKED}8\r\n{"name":\r\n`))),
  late("slow drip of the body past the deadline", processed(drips(CHUNKED, "1\r\n \r\n"))),
  fault("body shorter than its Content-Length", lost("connection"), processed(ends(`${LENGTH_OF_100}${PLANT}`))),
  fault(
    "chunked body without its end",
    lost("connection"),
    processed(ends(`${CHUNKED}${PLANT.length.toString(16)}\r\n${PLANT}\r\n`)),
  ),
  fault("garbage within a chunked body", lost("connection"), processed(ends(`${CHUNKED}this is not a chunk\r\n`))),
  fault(
    "reset within the body",
    lost("connection"),
    processed(({ socket }) => {
      socket.write(`${LENGTH_OF_100}{"name":`, () => socket.resetAndDestroy());
    }),
  ),
  fault(
    "body larger than maxResponseBytes, with its Content-Length",
    lost("response (too-large)"),
    answersCreated("200 OK", `{"name":"${"x".repeat(1_048_576)}"}`),
  ),
  fault(
    "chunked body without end",
    lost("response (too-large)"),
    processed(floods(CHUNKED, `10000\r\n${"x".repeat(0x10000)}\r\n`)),
  ),
  fault(
    "body that is declared as gzip but is not",
    lost("connection"),
    answersCreated("200 OK", PLANT, "Content-Encoding: gzip"),
  ),
  fault(
    "compressed body although no compression was requested",
    created(),
    processed(({ socket }) => {
      const body = gzipSync(PLANT);
      socket.write(`${HEAD}Content-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n`);
      socket.write(body);
    }),
  ),
];

const REFUSED = failed("api", "rejected");
const [LIMITED, BUSY] = ["429 Too Many Requests", "503 Service Unavailable"];

const replies: Fault[] = [
  ...[301, 302, 303, 307, 308].map((status) =>
    fault(
      `${status}`,
      failed("response (redirect)", "unknown"),
      answers(`${status} Moved`, "", "Location: /elsewhere"),
    ),
  ),
  fault("400 with the Error body", REFUSED, answers("400 Bad Request", AN_ERROR)),
  fault("401, and the token provider has a new token", created(2), answersOnce("401 Unauthorized", ""), {
    client: () => ({ token: ({ rejectedToken }) => (rejectedToken === undefined ? "old" : "new") }),
  }),
  fault("429 with Retry-After, once", created(2), answersOnce(LIMITED, AN_ERROR, "Retry-After: 0")),
  fault("429 with a Retry-After of more than 60 seconds", REFUSED, answers(LIMITED, AN_ERROR, "Retry-After: 61")),
  fault("429 with a Retry-After beyond the deadline", REFUSED, answers(LIMITED, AN_ERROR, "Retry-After: 31")),
  fault("500", lost("api"), answersCreated("500 Internal Server Error", AN_ERROR)),
  fault("502 with HTML", lost("response (status)"), answersCreated("502 Bad Gateway", HTML, "Content-Type: text/html")),
  fault("503 without Retry-After", lost("response (status)"), answersCreated(BUSY, "")),
  fault(
    "503 with Retry-After and the contract's Error, again and again",
    failed("api", "rejected", { posts: 3 }),
    answers(BUSY, AN_ERROR, "Retry-After: 0"),
  ),
  fault(
    "503 with Retry-After and a gateway's page",
    lost("response (status)"),
    answersCreated(BUSY, HTML, "Retry-After: 0"),
  ),
  fault(
    "503 with Retry-After and the contract's Error, once",
    created(2),
    answersOnce(BUSY, AN_ERROR, "Retry-After: 0"),
  ),
  fault("200 with HTML", lost("response (media-type)"), answersCreated("200 OK", HTML, "Content-Type: text/html")),
  fault("204", lost("response (media-type)"), processed(writes("HTTP/1.1 204 No Content\r\n\r\n"))),
];

const WAIT_OF_20 = answers(LIMITED, "", "Retry-After: 20");

const stopped: Fault[] = [
  fault(
    "deadline while it connects (TLS handshake)",
    unsent("timeout", 1),
    () => ({ connected: (socket) => socket.resume() }),
    { ...knownHttps, call: SHORT },
  ),
  fault(
    "abort while it connects (TLS handshake)",
    unsent("aborted", 1),
    ({ abort }) => ({ connected: (socket) => socket.once("data", abort).resume() }),
    knownHttps,
  ),
  fault("abort after the request was sent, before it is processed", failed("aborted", "unknown"), ({ abort }) => abort),
  fault("abort after the plant was processed, before the response", lost("aborted"), ({ abort }) => processed(abort)()),
  fault("abort within the body", lost("aborted"), processed(writes(`${LENGTH_OF_100}{"name":`)), {
    answered: ({ abort }) => setImmediate(abort),
  }),
  fault(
    "abort within a chunked body, before it is read",
    lost("aborted"),
    processed(writes(`${CHUNKED}8\r\n{"name":\r\n`)),
    { answered: ({ abort }) => abort() },
  ),
  fault("abort during the wait before a retry", failed("aborted", "rejected"), WAIT_OF_20, {
    client: ({ abort }) => ({ onAttempt: () => void setImmediate(abort) }),
  }),
];

/** Faults with the default options, except for a shorter deadline. */
export const faults: readonly Fault[] = [...connecting, ...beforeReply, ...inBody, ...replies, ...stopped];
