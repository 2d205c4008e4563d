import { type Outcome, PlantStoreClient } from "plant-store-client";
import { afterEach, describe, expect, test, vi } from "vitest";
import { freePort } from "../free-port.ts";
import {
  connectionRefused,
  connectionReset,
  everyAddress,
  fetchFailed,
  systemError,
} from "./fixtures/network-errors.ts";
import { failure } from "./fixtures/outcome-of.ts";
import { brokenOff, created } from "./fixtures/replies.ts";
import { PLANT, type Step, setup } from "./fixtures/setup.ts";

/** What undici says if a proxy refuses the tunnel. */
function tunnelRefused(status: number): Error {
  return systemError("UND_ERR_ABORTED", undefined, `Proxy response (${status}) !== 200 when HTTP Tunneling`);
}

/** What Node's fetch rejects with: an error of this code, under which a system call may have failed. */
const failed = (code: string, syscall?: string) => fetchFailed(systemError(code, syscall));
const refusedAddress = systemError("ECONNREFUSED", "connect");

/** The errors of Node's fetch, with what each proves. */
const UNSENT: [name: string, error: Error, code: string][] = [
  // While connecting, each of them; EADDRNOTAVAIL without IPv6, EMFILE without a file handle, EACCES by a firewall.
  ...[
    ...["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT", "EADDRNOTAVAIL", "EMFILE", "ECONNRESET", "EACCES"],
  ].map((code): [string, Error, string] => [`${code} of connect`, failed(code, "connect"), code]),
  ...["ENOTFOUND", "EAI_AGAIN", "EAI_FAIL"].map((code): [string, Error, string] => [
    ...([`${code} of getaddrinfo`, failed(code, "getaddrinfo"), code] as const),
  ]),
  ["a connect that timed out in undici", failed("UND_ERR_CONNECT_TIMEOUT"), "UND_ERR_CONNECT_TIMEOUT"],
  ["a proxy that closed before the tunnel", failed("UND_ERR_PRX_CONN"), "UND_ERR_PRX_CONN"],
  ["a tunnel that the proxy refused", fetchFailed(tunnelRefused(502)), "UND_ERR_ABORTED"],
  ["every address refused", everyAddress(refusedAddress, systemError("ENETUNREACH", "connect")), "ECONNREFUSED"],
  ["the proof deeper in the chain", new Error("outer", { cause: connectionRefused() }), "ECONNREFUSED"],
  ["undici's own error, without a wrapper", refusedAddress, "ECONNREFUSED"],
  [
    "one address refused, one with a certificate that is not trusted",
    everyAddress(refusedAddress, systemError("CERT_HAS_EXPIRED")),
    "ECONNREFUSED",
  ],
];

const UNSENDABLE: [name: string, error: Error][] = [
  ...[
    ...["CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID", "DEPTH_ZERO_SELF_SIGNED_CERT", "SELF_SIGNED_CERT_IN_CHAIN"],
    ...["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "ERR_TLS_CERT_ALTNAME_INVALID"],
    ...["HOSTNAME_MISMATCH", "ERR_SSL_WRONG_VERSION_NUMBER", "UND_ERR_PRX_TLS"],
    // The service shares no protocol (ALPN), version or name with this side.
    ...["ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL", "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION"],
    ...["ERR_SSL_TLSV1_UNRECOGNIZED_NAME"],
  ].map((code): [string, Error] => [code, failed(code)]),
  ["a tunnel without the password of the proxy", fetchFailed(tunnelRefused(407))],
  ["every address with a bad certificate", everyAddress(systemError("CERT_HAS_EXPIRED"))],
];

const resetAddress = systemError("ECONNRESET", "read");
const { message: refusedTunnel } = tunnelRefused(502);
const UNPROVEN: [name: string, error: Error, code: string | undefined][] = [
  ["a reset", connectionReset(), "ECONNRESET"],
  [
    "a reset of which an earlier refusal was the cause",
    fetchFailed(Object.assign(systemError("ECONNRESET", "read"), { cause: refusedAddress })),
    "ECONNRESET",
  ],
  [
    "a code of the application's own over a refusal",
    Object.assign(new Error("login"), { code: "E_LOGIN", cause: connectionRefused() }),
    "E_LOGIN",
  ],
  ["a broken pipe", failed("EPIPE", "write"), "EPIPE"],
  ["a read that timed out", failed("ETIMEDOUT", "read"), "ETIMEDOUT"],
  ["a TLS alert, which may come after the request", failed("EPROTO", "write"), "EPROTO"],
  ...[
    // Only Bun gives the second without a system call; a client certificate may be demanded after the request.
    ...["ETIMEDOUT", "ECONNREFUSED", "UND_ERR_ABORTED", "UND_ERR_SOCKET", "UND_ERR_HEADERS_TIMEOUT"],
    ...["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", "HPE_INVALID_CONSTANT", "HTTP2_REQUEST_REFUSED"],
    // These are only like refusals of TLS.
    ...["ERR_SSL_CERT_CB_ERROR", "ERR_TLS_CERT_ALTNAME_INVALID_NAME", "ERR_SSL_WRONG_VERSION_NUMBER_LATER"],
    ...["HOSTNAME_MISMATCH_LATER", "UND_ERR_PRX_TLS_LATER"],
  ].map((code): [string, Error, string] => [`${code} of no system call`, failed(code), code]),
  ["what a browser tells", new TypeError("Failed to fetch"), undefined],
  ["Deno's words on another runtime", new TypeError("client error (Connect): refused"), undefined],
  ["a code that is not a string", Object.assign(new Error("odd"), { code: 7, syscall: "connect" }), undefined],
  ["a syscall that is a name of every object", systemError("has", "constructor"), "has"],
  ["several addresses, none listed", everyAddress(), undefined],
  [
    "several addresses, none listed, and a refusal as the cause",
    fetchFailed(new AggregateError([], "", { cause: refusedAddress })),
    "ECONNREFUSED",
  ],
  [
    "several addresses, under no code of their own",
    fetchFailed(new AggregateError([resetAddress, systemError("EPIPE", "write")])),
    "ECONNRESET",
  ],
  ["one address of two reset", everyAddress(refusedAddress, resetAddress), "ECONNREFUSED"],
  [
    "a list of refusals within a list",
    fetchFailed(new AggregateError([new AggregateError([refusedAddress])])),
    "ECONNREFUSED",
  ],
  ...(
    [
      ["ECONNRESET", refusedTunnel],
      ["UND_ERR_ABORTED", `Sent again after: ${refusedTunnel}`],
      ["UND_ERR_ABORTED", `${refusedTunnel}, then reset`],
    ] as const
  ).map(([code, message]): [string, Error, string] => [
    `${code}: ${message}, which is not a refused tunnel`,
    systemError(code, undefined, message),
    code,
  ]),
];

describe.each(["safe", "idempotent"] as const)("retry: %s", (retry) => {
  /** The error of a call, and how many POSTs it took. */
  const run = async (...steps: Step[]) => {
    const mocked = setup(steps, { retry });
    const error = await failure(mocked);
    return { error, posts: mocked.posts.length };
  };
  const isAgain = retry === "idempotent";

  test.each(UNSENT)("%s proves that nothing was sent, and is sent again", async (_, thrown, code) => {
    const { error, posts } = await run(thrown, thrown, thrown);
    expect(error).toMatchObject({ kind: "connection", outcome: "not-sent", retryable: true });
    expect(error.attempts).toMatchObject([1, 2, 3].map((number) => ({ number, reason: "network", code })));
    expect(posts).toBe(3);
  });

  test.each(UNSENDABLE)("%s proves that nothing was sent, and is not tried again", async (_, thrown) => {
    const { error, posts } = await run(thrown);
    expect(error).toMatchObject({ kind: "connection", outcome: "not-sent", retryable: false });
    expect(posts).toBe(1);
  });

  test.each(UNPROVEN)("%s proves nothing", async (_, thrown, code) => {
    const { error, posts } = await run(thrown, thrown, thrown);
    expect(posts).toBe(isAgain ? 3 : 1);
    expect(error).toMatchObject({ kind: "connection", outcome: "unknown", retryable: isAgain });
    expect(error.attempts[0]?.code).toBe(code);
    expect("code" in (error.attempts[0] ?? {})).toBe(code !== undefined);
  });

  test.each([200, 201, 302])("a body that breaks off after %i is not sent again", async (status) => {
    // Nor if the failure would prove something before the response: the service had the request.
    for (const code of ["UND_ERR_SOCKET", "UND_ERR_CONNECT_TIMEOUT"]) {
      const { error, posts } = await run(brokenOff(status, systemError(code)));
      expect(posts).toBe(1);
      expect(error).toMatchObject({ kind: "connection", outcome: "unknown", retryable: false });
      expect(error.attempts).toMatchObject([{ status, reason: "body", code }]);
    }
  });

  test.each([400, 404, 429])("a body that breaks off after %i leaves what the status says", async (status) => {
    const broken = () => {
      const response = brokenOff(status, systemError("UND_ERR_SOCKET"), '{"error":7, "nope');
      response.headers.set("retry-after", "0");
      return response;
    };
    const { error, posts } = await run(broken, broken, broken);
    expect(posts).toBe(status === 429 ? 3 : 1);
    expect(error).toMatchObject({
      kind: "response",
      outcome: "rejected",
      retryable: status === 429,
      status,
      reason: "status",
      retryAfterMs: 0,
      bodyText: '{"error":7, "nope',
      cause: { code: "UND_ERR_SOCKET" },
    });
    expect(error.message).toContain(`returned ${status} with a body that was cut off`);
    expect(error.attempts.at(-1)).toMatchObject({ status, reason: "body", code: "UND_ERR_SOCKET" });
  });

  test("a token that is refused with a body that breaks off is replaced", async () => {
    const broken = brokenOff(401, systemError("UND_ERR_SOCKET"));
    const { client } = setup([broken, created], { retry, token: ({ rejectedToken }) => `${rejectedToken}-new` });
    const { ok, attempts } = await client.tryCreatePlant(PLANT);
    expect([ok, attempts.map(({ status }) => status)]).toEqual([true, [401, 200]]);
  });

  test("without a stream, a body whose text() fails leaves what the status says", async () => {
    const text = () => Promise.reject(new Error("cut"));
    const { error } = await run({ status: 400, headers: new Headers(), text } as unknown as Response);
    expect(error).toMatchObject({ kind: "response", outcome: "rejected", bodyText: "", cause: { message: "cut" } });
  });

  test.each([408, 500, 502, 503, 504])("an incomplete body after %i has the verdict of that status", async (status) => {
    const broken = () => brokenOff(status, systemError("UND_ERR_SOCKET"));
    const { error, posts } = await run(broken, broken, broken);
    expect(error).toMatchObject({ kind: "connection", outcome: "unknown", retryable: isAgain });
    expect(posts).toBe(isAgain ? 3 : 1);
  });

  test("a plant that is too long for a string is not sent", async () => {
    const { client, posts } = setup([created], { retry });
    const stringify = vi.spyOn(JSON, "stringify").mockImplementation(() => {
      throw new RangeError("Invalid string length");
    });
    const { error, attempts } = await client.tryCreatePlant({ id: 7, name: '"' });
    stringify.mockRestore();
    expect(error).toMatchObject({ kind: "connection", outcome: "not-sent", retryable: false });
    expect(error?.message).toContain("failed: Invalid string length; ");
    expect([attempts.length, posts.length]).toEqual([1, 0]);
  });
});

test.each([
  ["a text", "down", /failed: down;/],
  ["a number", 42, /failed: 42;/],
  ["a symbol", Symbol("odd"), /failed: Symbol\(odd\);/],
  ["a plain object", { code: "ECONNRESET", message: "plain" }, /failed: plain;/],
  [
    "an object without a message",
    { error: "invalid_grant", status: 400 },
    /failed: error: invalid_grant, status: 400;/,
  ],
])("a fetch that rejects with %s is a connection error", async (_, thrown, message) => {
  const error = await failure(setup([() => Promise.reject(thrown)]));
  expect(error).toMatchObject({ kind: "connection", outcome: "unknown" });
  expect(error.message).toMatch(message);
});

describe("under a fetch of the application's own, an error must name the request", () => {
  type Fields = { hostname?: string; address?: string; port?: number };
  const refused = (fields: Fields) => fetchFailed(Object.assign(systemError("ECONNREFUSED", "connect"), fields));
  const unknownName = (hostname: string) =>
    fetchFailed(Object.assign(systemError("ENOTFOUND", "getaddrinfo"), { hostname }));
  afterEach(() => vi.unstubAllGlobals());

  const LOCAL = "http://127.0.0.1:4010";
  const NAMED = "https://plants.test";
  const twoAddresses = everyAddress(
    Object.assign(systemError("ECONNREFUSED", "connect"), { address: "127.0.0.1", port: 4010 }),
    Object.assign(systemError("ECONNREFUSED", "connect"), { address: "::1", port: 4010 }),
  );
  const rows: [baseUrl: string, what: string, error: Error, asOption: Outcome, asGlobal?: Outcome][] = [
    [LOCAL, "its address and port", refused({ address: "127.0.0.1", port: 4010 }), "not-sent"],
    ["http://127.0.0.1", "port 80 of http", refused({ address: "127.0.0.1", port: 80 }), "not-sent"],
    ["https://10.0.0.7", "port 443 of https", refused({ address: "10.0.0.7", port: 443 }), "not-sent"],
    ["http://[::1]:4010", "its address of IPv6", refused({ address: "::1", port: 4010 }), "not-sent"],
    [NAMED, "its name and port", refused({ hostname: "plants.test", address: "10.0.0.7", port: 443 }), "not-sent"],
    [NAMED, "its name, which has no address", unknownName("plants.test"), "not-sent", "not-sent"],
    [LOCAL, "another port", refused({ address: "127.0.0.1", port: 4011 }), "unknown", "unknown"],
    [LOCAL, "another address", refused({ address: "127.0.0.2", port: 4010 }), "unknown"],
    [LOCAL, "no port", refused({ address: "127.0.0.1" }), "unknown"],
    [LOCAL, "nothing at all", refused({}), "unknown", "not-sent"],
    [NAMED, "an address that may be another's", refused({ address: "10.0.0.7", port: 443 }), "unknown", "not-sent"],
    [NAMED, "another name", unknownName("login.test"), "unknown", "unknown"],
    [NAMED, "a certificate of nobody", fetchFailed(systemError("CERT_HAS_EXPIRED")), "unknown"],
    [NAMED, "a timeout of nobody", fetchFailed(systemError("UND_ERR_CONNECT_TIMEOUT")), "unknown"],
    // Over HTTP/2 they may come after the request.
    [NAMED, "bytes that are not TLS", fetchFailed(systemError("ERR_SSL_WRONG_VERSION_NUMBER")), "unknown", "unknown"],
    [LOCAL, "one address of two", twoAddresses, "unknown"],
    ["http://localhost:4010", "both addresses of this machine", twoAddresses, "not-sent"],
    ["http://localhost:4010", "another address", refused({ address: "10.0.0.7", port: 4010 }), "unknown"],
  ];
  test.each(rows)("at %s, %s", async (baseUrl, _, error, asOption, asGlobal) => {
    const fetch = () => Promise.reject(error);
    expect((await failure(setup([], { baseUrl, fetch, maxRetries: 0 }))).outcome).toBe(asOption);
    if (asGlobal === undefined) return;
    // A wrapper that replaces the global one.
    vi.stubGlobal("fetch", fetch);
    expect((await failure(setup([], { baseUrl, fetch: undefined, maxRetries: 0 }))).outcome).toBe(asGlobal);
  });

  test("Node's own fetch as an option counts as the global one", async () => {
    const options = {
      baseUrl: `http://localhost:${await freePort()}`,
      token: "t",
      fetch: globalThis.fetch,
      maxRetries: 0,
    };
    expect(await new PlantStoreClient(options).tryCreatePlant(PLANT)).toMatchObject({
      error: { kind: "connection", outcome: "not-sent" },
    });
  });
});
