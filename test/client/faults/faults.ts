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
import type { Fault, Group, Report } from "./fault.ts";
import { PLANT, reply } from "./server.ts";

/** The deadline of the rows that run into it. */
const SHORT = { timeoutMs: 100 };

const AN_ERROR = '{"error":7,"message":"no"}';
const HTML = "<!doctype html><title>Proxy</title>";

const created = (posts = 1, attempts = posts): Report => ({
  posts,
  processed: 1,
  result: "created",
  outcome: "–",
  attempts,
});

const failed = (
  result: Report["result"],
  outcome: Report["outcome"],
  {
    posts = 1,
    processed = 0,
    attempts = Math.max(1, posts),
  }: { posts?: number; processed?: number; attempts?: number } = {},
): Report => ({ posts, processed, result, outcome, attempts });

const PROCESSED = { processed: 1 };

const https = (port: number) => `https://127.0.0.1:${port}`;

const connecting: Fault[] = [
  {
    name: "connection refused",
    place: "down",
    expected: failed("connection", "not-sent", { posts: 0, attempts: 3 }),
  },
  {
    name: "connection refused at each address of a host name",
    place: "down",
    baseUrl: (port) => `http://localhost:${port}`,
    expected: failed("connection", "not-sent", { posts: 0, attempts: 3 }),
  },
  {
    name: "connection refused, then the service is up",
    place: "down",
    client: ({ start }) => ({ onAttempt: ({ number }) => (number === 1 ? void start() : undefined) }),
    expected: created(1, 2),
  },
  {
    name: "DNS failure",
    baseUrl: () => "https://plants.invalid",
    expected: failed("connection", "not-sent", { posts: 0, attempts: 3 }),
  },
  {
    name: "TLS failure: a self-signed certificate",
    place: "tls",
    baseUrl: https,
    expected: failed("connection", "not-sent", { posts: 0 }),
  },
  {
    name: "TLS failure: https spoken to a server that speaks plain HTTP",
    baseUrl: https,
    service: () => ({ connected: (socket) => socket.once("data", () => reply(socket, "400 Bad Request", "")) }),
    expected: failed("connection", "not-sent", { posts: 0 }),
  },
  {
    name: "connection closed during the TLS handshake",
    baseUrl: https,
    isKnown: true,
    service: () => ({ connected: (socket) => socket.once("data", () => socket.end()) }),
    expected: failed("connection", "not-sent", { posts: 0, attempts: 3 }),
  },
  {
    name: "connection reset during the TLS handshake",
    baseUrl: https,
    isKnown: true,
    service: () => ({ connected: (socket) => socket.once("data", () => socket.resetAndDestroy()) }),
    expected: failed("connection", "not-sent", { posts: 0, attempts: 3 }),
  },
  {
    name: "plain HTTP spoken to a server that speaks TLS",
    place: "tls",
    baseUrl: (port) => `http://127.0.0.1:${port}`,
    expected: failed("connection", "unknown", { posts: 0 }),
  },
];

const beforeReply: Fault[] = [
  {
    name: "reset before the request is read",
    // Not before its bytes are there: a connection that is reset earlier proves that there are none.
    service: () => ({ connected: (socket) => socket.once("readable", () => socket.resetAndDestroy()) }),
    expected: failed("connection", "unknown", { posts: 0 }),
  },
  {
    name: "closed before the request is read",
    service: () => ({ connected: (socket) => socket.end() }),
    expected: failed("connection", "unknown", { posts: 0 }),
  },
  {
    name: "reset after the request was read, before it is processed",
    service: () => resets,
    expected: failed("connection", "unknown"),
  },
  {
    name: "reset after the plant was processed",
    service: processed(resets),
    expected: failed("connection", "unknown", PROCESSED),
  },
  {
    name: "closed without a response, after the plant was processed",
    service: processed(closes),
    expected: failed("connection", "unknown", PROCESSED),
  },
  {
    name: "a connection left open by an earlier call is closed at the next POST, without a response",
    isReused: true,
    service: () => (post) => {
      post.process();
      if (post.number === 1) return reply(post.socket, "200 OK", PLANT);
      closes(post);
    },
    expected: failed("connection", "unknown", { ...PROCESSED, attempts: 1 }),
  },
  {
    name: "stalled before the response",
    call: SHORT,
    service: processed(silent),
    expected: failed("timeout", "unknown", PROCESSED),
  },
  {
    name: "stalled within the response's headers",
    call: SHORT,
    service: processed(writes(HEAD)),
    expected: failed("timeout", "unknown", PROCESSED),
  },
  {
    name: "slow drip of headers past the deadline",
    call: SHORT,
    service: processed(drips(HEAD, "X-Slow: 1\r\n")),
    expected: failed("timeout", "unknown", PROCESSED),
  },
  {
    name: "closed within the response's headers",
    service: processed(ends(HEAD)),
    expected: failed("connection", "unknown", PROCESSED),
  },
  {
    name: "garbage instead of a response",
    service: processed(ends("\u0016\u0003 this is not HTTP\r\n\r\n")),
    expected: failed("connection", "unknown", PROCESSED),
  },
  {
    name: "headers without end",
    service: processed(floods(HEAD, `X-Long: ${"x".repeat(1000)}\r\n`)),
    expected: failed("connection", "unknown", PROCESSED),
  },
  {
    name: "a header that is not ASCII, then the plant",
    service: answersCreated("200 OK", PLANT, "X-Gardener: Łucja"),
    expected: created(),
  },
  {
    name: "103 Early Hints, then the plant",
    service: processed(({ socket }) => {
      socket.write("HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n");
      reply(socket, "200 OK", PLANT);
    }),
    expected: created(),
  },
];

const inBody: Fault[] = [
  {
    name: "stalled within the body",
    call: SHORT,
    service: processed(writes(`${HEAD}Content-Length: 100\r\n\r\n{"name":`)),
    expected: failed("timeout", "unknown", PROCESSED),
  },
  {
    name: "stalled within a chunked body",
    call: SHORT,
    service: processed(writes(`${HEAD}Transfer-Encoding: chunked\r\n\r\n8\r\n{"name":\r\n`)),
    expected: failed("timeout", "unknown", PROCESSED),
  },
  {
    name: "slow drip of the body past the deadline",
    call: SHORT,
    service: processed(drips(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`, "1\r\n \r\n")),
    expected: failed("timeout", "unknown", PROCESSED),
  },
  {
    name: "body shorter than its Content-Length",
    service: processed(ends(`${HEAD}Content-Length: 100\r\n\r\n${PLANT}`)),
    expected: failed("connection", "unknown", PROCESSED),
  },
  {
    name: "chunked body without its end",
    service: processed(ends(`${HEAD}Transfer-Encoding: chunked\r\n\r\n${PLANT.length.toString(16)}\r\n${PLANT}\r\n`)),
    expected: failed("connection", "unknown", PROCESSED),
  },
  {
    name: "garbage within a chunked body",
    service: processed(ends(`${HEAD}Transfer-Encoding: chunked\r\n\r\nthis is not a chunk\r\n`)),
    expected: failed("connection", "unknown", PROCESSED),
  },
  {
    name: "reset within the body",
    service: processed(({ socket }) => {
      socket.write(`${HEAD}Content-Length: 100\r\n\r\n{"name":`, () => socket.resetAndDestroy());
    }),
    expected: failed("connection", "unknown", PROCESSED),
  },
  {
    name: "body larger than maxResponseBytes, with its Content-Length",
    service: answersCreated("200 OK", `{"name":"${"x".repeat(1_048_576)}"}`),
    expected: failed("response (too-large)", "unknown", PROCESSED),
  },
  {
    name: "chunked body without end",
    service: processed(floods(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`, `10000\r\n${"x".repeat(0x10000)}\r\n`)),
    expected: failed("response (too-large)", "unknown", PROCESSED),
  },
  {
    name: "body that is declared as gzip but is not",
    service: answersCreated("200 OK", PLANT, "Content-Encoding: gzip"),
    expected: failed("connection", "unknown", PROCESSED),
    undici: { ...created(), why: "it does not decompress, and asks for no compression" },
  },
  {
    name: "compressed body although no compression was requested",
    service: processed(({ socket }) => {
      const body = gzipSync(PLANT);
      socket.write(`${HEAD}Content-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n`);
      socket.write(body);
    }),
    expected: created(),
    undici: {
      ...failed("response (json)", "unknown", PROCESSED),
      why: "it does not decompress",
    },
  },
];

const replies: Fault[] = [
  ...[301, 302, 303, 307, 308].map(
    (status): Fault => ({
      name: `${status} to another path`,
      service: answers(`${status} Moved`, "", "Location: /elsewhere"),
      expected: failed("response (redirect)", "unknown"),
    }),
  ),
  {
    name: "400 with the Error body",
    service: answers("400 Bad Request", AN_ERROR),
    expected: failed("api", "rejected"),
  },
  {
    name: "400 without a body",
    service: answers("400 Bad Request", ""),
    expected: failed("response (status)", "rejected"),
  },
  { name: "401", service: answers("401 Unauthorized", AN_ERROR), expected: failed("api", "rejected") },
  {
    name: "401, and the token provider has a new token",
    client: () => ({ token: ({ rejectedToken }) => (rejectedToken === undefined ? "old" : "new") }),
    service: answersOnce("401 Unauthorized", ""),
    expected: created(2),
  },
  { name: "408", service: answers("408 Request Timeout", ""), expected: failed("response (status)", "unknown") },
  { name: "409", service: answers("409 Conflict", AN_ERROR), expected: failed("api", "rejected") },
  {
    name: "429 without Retry-After, again and again",
    service: answers("429 Too Many Requests", ""),
    expected: failed("response (status)", "rejected", { posts: 3 }),
  },
  { name: "429 without Retry-After, once", service: answersOnce("429 Too Many Requests", ""), expected: created(2) },
  {
    name: "429 with Retry-After, once",
    service: answersOnce("429 Too Many Requests", AN_ERROR, "Retry-After: 0"),
    expected: created(2),
  },
  {
    name: "429 with a Retry-After of more than 60 seconds",
    service: answers("429 Too Many Requests", AN_ERROR, "Retry-After: 61"),
    expected: failed("api", "rejected"),
  },
  {
    name: "429 with a Retry-After beyond the deadline",
    service: answers("429 Too Many Requests", AN_ERROR, "Retry-After: 31"),
    expected: failed("api", "rejected"),
  },
  {
    name: "500, after the plant was processed",
    service: answersCreated("500 Internal Server Error", AN_ERROR),
    expected: failed("api", "unknown", PROCESSED),
  },
  {
    name: "502 with HTML, after the plant was processed",
    service: answersCreated("502 Bad Gateway", HTML, "Content-Type: text/html"),
    expected: failed("response (status)", "unknown", PROCESSED),
  },
  {
    name: "503 without Retry-After, after the plant was processed",
    service: answersCreated("503 Service Unavailable", ""),
    expected: failed("response (status)", "unknown", PROCESSED),
  },
  {
    name: "503 with Retry-After and the contract's Error, again and again",
    service: answers("503 Service Unavailable", AN_ERROR, "Retry-After: 0"),
    expected: failed("api", "rejected", { posts: 3 }),
  },
  {
    name: "503 with Retry-After and a gateway's page, after the plant was processed",
    service: answersCreated("503 Service Unavailable", HTML, "Retry-After: 0"),
    expected: failed("response (status)", "unknown", PROCESSED),
  },
  {
    name: "503 with Retry-After and the contract's Error, once",
    service: answersOnce("503 Service Unavailable", AN_ERROR, "Retry-After: 0"),
    expected: created(2),
  },
  {
    name: "504, after the plant was processed",
    service: answersCreated("504 Gateway Timeout", ""),
    expected: failed("response (status)", "unknown", PROCESSED),
  },
  {
    name: "200 with HTML",
    service: answersCreated("200 OK", HTML, "Content-Type: text/html"),
    expected: failed("response (media-type)", "unknown", PROCESSED),
  },
  {
    name: "200 with an empty body",
    service: answersCreated("200 OK", ""),
    expected: failed("response (json)", "unknown", PROCESSED),
  },
  {
    name: "200 with malformed JSON",
    service: answersCreated("200 OK", '{"name":'),
    expected: failed("response (json)", "unknown", PROCESSED),
  },
  {
    name: "200 with JSON of another shape",
    service: answersCreated("200 OK", '{"id":1}'),
    expected: failed("response (shape)", "unknown", PROCESSED),
  },
  {
    name: "204",
    service: processed(writes("HTTP/1.1 204 No Content\r\n\r\n")),
    expected: failed("response (media-type)", "unknown", PROCESSED),
  },
];

const never = () => new Promise<never>(() => {});

const stopped: Fault[] = [
  {
    name: "the token provider throws",
    client: () => ({
      token: () => {
        throw new Error("no key store");
      },
    }),
    expected: failed("token", "not-sent", { posts: 0, attempts: 0 }),
  },
  {
    name: "the token provider throws when it is asked again after a 401",
    client: () => ({
      token: ({ rejectedToken }) => {
        if (rejectedToken !== undefined) throw new Error("no key store");
        return "old";
      },
    }),
    service: answers("401 Unauthorized", ""),
    expected: failed("token", "rejected"),
  },
  {
    name: "deadline while the token is awaited",
    call: SHORT,
    client: () => ({ token: never }),
    expected: failed("timeout", "not-sent", { posts: 0, attempts: 0 }),
  },
  {
    name: "deadline while it connects (TLS handshake)",
    call: SHORT,
    baseUrl: https,
    isKnown: true,
    service: () => ({ connected: (socket) => socket.resume() }),
    expected: failed("timeout", "not-sent", { posts: 0 }),
  },
  {
    name: "abort before the call",
    isAborted: true,
    expected: failed("aborted", "not-sent", { posts: 0, attempts: 0 }),
  },
  {
    name: "abort while the token is awaited",
    client: ({ abort }) => ({
      token: () => {
        setImmediate(abort);
        return never();
      },
    }),
    expected: failed("aborted", "not-sent", { posts: 0, attempts: 0 }),
  },
  {
    name: "abort while it connects (TLS handshake)",
    baseUrl: https,
    isKnown: true,
    service: ({ abort }) => ({ connected: (socket) => socket.once("data", abort).resume() }),
    expected: failed("aborted", "not-sent", { posts: 0 }),
  },
  {
    name: "abort after the request was sent, before it is processed",
    service: ({ abort }) => abort,
    expected: failed("aborted", "unknown"),
  },
  {
    name: "abort after the plant was processed, before the response",
    service: ({ abort }) => processed(abort)(),
    expected: failed("aborted", "unknown", PROCESSED),
  },
  {
    name: "abort within the body",
    service: processed(writes(`${HEAD}Content-Length: 100\r\n\r\n{"name":`)),
    answered: ({ abort }) => setImmediate(abort),
    expected: failed("aborted", "unknown", PROCESSED),
  },
  {
    name: "abort within a chunked body, before it is read",
    service: processed(writes(`${HEAD}Transfer-Encoding: chunked\r\n\r\n8\r\n{"name":\r\n`)),
    answered: ({ abort }) => abort(),
    expected: failed("aborted", "unknown", PROCESSED),
  },
  {
    name: "abort during the wait before a retry",
    service: answers("429 Too Many Requests", "", "Retry-After: 20"),
    client: ({ abort }) => ({ onAttempt: () => void setImmediate(abort) }),
    expected: failed("aborted", "rejected"),
  },
  {
    name: "abort in onAttempt, as the wait begins",
    service: answers("429 Too Many Requests", "", "Retry-After: 20"),
    client: ({ abort }) => ({ onAttempt: abort }),
    expected: failed("aborted", "rejected"),
  },
];

const IDEMPOTENT = { retry: "idempotent" } as const;

const idempotent: Fault[] = [
  {
    name: "reset after the plant was processed, each time",
    call: IDEMPOTENT,
    service: processed(resets),
    expected: failed("connection", "unknown", { posts: 3, processed: 3 }),
  },
  {
    name: "500 after the plant was processed, then the plant",
    call: IDEMPOTENT,
    service: () => (post) => {
      post.process();
      reply(post.socket, post.number === 1 ? "500 Internal Server Error" : "200 OK", PLANT);
    },
    expected: { ...created(2), processed: 2 },
  },
  {
    name: "200 with HTML",
    call: IDEMPOTENT,
    service: answersCreated("200 OK", HTML, "Content-Type: text/html"),
    expected: failed("response (media-type)", "unknown", PROCESSED),
  },
  {
    name: "307 to another path",
    call: IDEMPOTENT,
    service: answers("307 Temporary Redirect", "", "Location: /elsewhere"),
    expected: failed("response (redirect)", "unknown"),
  },
];

/** Faults with the default options, except for a shorter deadline. */
export const groups: readonly Group[] = [
  { title: "Before there is a connection", faults: connecting },
  { title: "Before the response", faults: beforeReply },
  { title: "Within the response body", faults: inBody },
  { title: "Responses", faults: replies },
  { title: "Tokens, deadlines and aborts", faults: stopped },
];

/** The contrast: what the caller's own word, `retry: "idempotent"`, lets the client do. */
export const contrast: Group = { title: 'With `retry: "idempotent"`', faults: idempotent };
