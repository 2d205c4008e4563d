import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { PlantStoreClient } from "plant-store-client";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  connectionRefused,
  connectionReset,
  everyAddress,
  fetchFailed,
  systemError,
} from "./fixtures/network-errors.ts";
import { failure } from "./fixtures/outcome-of.ts";
import { brokenOff, created } from "./fixtures/replies.ts";
import { PLANT, setup, URL_OF_PLANTS } from "./fixtures/setup.ts";

/** What undici says if a proxy refuses the tunnel. */
function tunnelRefused(status: number): Error {
  return systemError("UND_ERR_ABORTED", undefined, `Proxy response (${status}) !== 200 when HTTP Tunneling`);
}

/** The errors of Node's fetch, with what each proves. */
const UNSENT: [name: string, error: Error, code: string][] = [
  ["refused", connectionRefused(), "ECONNREFUSED"],
  ["no route to the host", fetchFailed(systemError("EHOSTUNREACH", "connect")), "EHOSTUNREACH"],
  ["no route to the network", fetchFailed(systemError("ENETUNREACH", "connect")), "ENETUNREACH"],
  ["a connect that timed out in the kernel", fetchFailed(systemError("ETIMEDOUT", "connect")), "ETIMEDOUT"],
  [
    "a connect that timed out in undici",
    fetchFailed(systemError("UND_ERR_CONNECT_TIMEOUT")),
    "UND_ERR_CONNECT_TIMEOUT",
  ],
  ["a proxy that closed before the tunnel", fetchFailed(systemError("UND_ERR_PRX_CONN")), "UND_ERR_PRX_CONN"],
  ["a tunnel that the proxy refused", fetchFailed(tunnelRefused(502)), "UND_ERR_ABORTED"],
  ["no address of our own", fetchFailed(systemError("EADDRNOTAVAIL", "connect")), "EADDRNOTAVAIL"],
  ["no file handle for the socket", fetchFailed(systemError("EMFILE", "connect")), "EMFILE"],
  ["a reset while connecting", fetchFailed(systemError("ECONNRESET", "connect")), "ECONNRESET"],
  ["a connect that the system forbids", fetchFailed(systemError("EACCES", "connect")), "EACCES"],
  ["a name server that has failed", fetchFailed(systemError("EAI_FAIL", "getaddrinfo")), "EAI_FAIL"],
  ["an unknown name", fetchFailed(systemError("ENOTFOUND", "getaddrinfo")), "ENOTFOUND"],
  ["a name server that is busy", fetchFailed(systemError("EAI_AGAIN", "getaddrinfo")), "EAI_AGAIN"],
  [
    "every address refused",
    everyAddress(systemError("ECONNREFUSED", "connect"), systemError("ENETUNREACH", "connect")),
    "ECONNREFUSED",
  ],
  ["the proof deeper in the chain", new Error("outer", { cause: connectionRefused() }), "ECONNREFUSED"],
  ["undici's own error, without a wrapper", systemError("ECONNREFUSED", "connect"), "ECONNREFUSED"],
  [
    "one address refused, one with a certificate that is not trusted",
    everyAddress(systemError("ECONNREFUSED", "connect"), systemError("CERT_HAS_EXPIRED")),
    "ECONNREFUSED",
  ],
];

const UNSENDABLE: [name: string, error: Error][] = [
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "HOSTNAME_MISMATCH",
  "ERR_SSL_WRONG_VERSION_NUMBER",
  "UND_ERR_PRX_TLS",
].map((code) => [code, fetchFailed(systemError(code))]);
UNSENDABLE.push(["a tunnel without the password of the proxy", fetchFailed(tunnelRefused(407))]);
UNSENDABLE.push(["every address with a bad certificate", everyAddress(systemError("CERT_HAS_EXPIRED"))]);

const UNPROVEN: [name: string, error: Error, code: string | undefined][] = [
  ["a reset", connectionReset(), "ECONNRESET"],
  [
    "a reset of which an earlier refusal was the cause",
    fetchFailed(Object.assign(systemError("ECONNRESET", "read"), { cause: systemError("ECONNREFUSED", "connect") })),
    "ECONNRESET",
  ],
  [
    "a code of the application's own over a refusal",
    Object.assign(new Error("login"), { code: "E_LOGIN", cause: connectionRefused() }),
    "E_LOGIN",
  ],
  [
    "several addresses, none listed, and a refusal as the cause",
    fetchFailed(new AggregateError([], "", { cause: systemError("ECONNREFUSED", "connect") })),
    "ECONNREFUSED",
  ],
  ["a broken pipe", fetchFailed(systemError("EPIPE", "write")), "EPIPE"],
  ["a read that timed out", fetchFailed(systemError("ETIMEDOUT", "read")), "ETIMEDOUT"],
  ["a timeout of no system call", fetchFailed(systemError("ETIMEDOUT")), "ETIMEDOUT"],
  ["a refusal of no system call, which only Bun gives", fetchFailed(systemError("ECONNREFUSED")), "ECONNREFUSED"],
  ["an abort in undici", fetchFailed(systemError("UND_ERR_ABORTED")), "UND_ERR_ABORTED"],
  ["the other side closed", fetchFailed(systemError("UND_ERR_SOCKET")), "UND_ERR_SOCKET"],
  ["headers that did not come in time", fetchFailed(systemError("UND_ERR_HEADERS_TIMEOUT")), "UND_ERR_HEADERS_TIMEOUT"],
  ["a TLS alert, which may come after the request", fetchFailed(systemError("EPROTO", "write")), "EPROTO"],
  [
    "a client certificate that is demanded later",
    fetchFailed(systemError("ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED")),
    "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED",
  ],
  ["garbage on the wire", fetchFailed(systemError("HPE_INVALID_CONSTANT")), "HPE_INVALID_CONSTANT"],
  ["what a browser tells", new TypeError("Failed to fetch"), undefined],
  ["Deno's words on another runtime", new TypeError("client error (Connect): refused"), undefined],
  ["a code that is not a string", Object.assign(new Error("odd"), { code: 7, syscall: "connect" }), undefined],
  ["a syscall that is a name of every object", systemError("has", "constructor"), "has"],
  ["several addresses, none listed", everyAddress(), undefined],
  [
    "several addresses, under no code of their own",
    fetchFailed(new AggregateError([systemError("ECONNRESET", "read"), systemError("EPIPE", "write")])),
    "ECONNRESET",
  ],
  [
    "one address, under no code of its own",
    fetchFailed(new AggregateError([systemError("ECONNRESET", "read")])),
    "ECONNRESET",
  ],
  [
    "several addresses, none listed, and a cause",
    fetchFailed(new AggregateError([], "", { cause: systemError("ECONNRESET", "read") })),
    "ECONNRESET",
  ],
  [
    "one address of two reset",
    everyAddress(systemError("ECONNREFUSED", "connect"), systemError("ECONNRESET", "read")),
    "ECONNREFUSED",
  ],
  [
    "one address of two that had the request",
    everyAddress(systemError("ECONNREFUSED", "connect"), systemError("HTTP2_REQUEST_REFUSED")),
    "ECONNREFUSED",
  ],
];

for (const code of [
  "ERR_SSL_CERT_CB_ERROR",
  "ERR_TLS_CERT_ALTNAME_INVALID_NAME",
  "ERR_SSL_WRONG_VERSION_NUMBER_LATER",
  "HOSTNAME_MISMATCH_LATER",
  "UND_ERR_PRX_TLS_LATER",
])
  UNPROVEN.push([`${code}, which is only like a refusal of TLS`, fetchFailed(systemError(code)), code]);

const { message: refusedTunnel } = tunnelRefused(502);
for (const [code, message] of [
  ["ECONNRESET", refusedTunnel],
  ["UND_ERR_ABORTED", `Sent again after: ${refusedTunnel}`],
  ["UND_ERR_ABORTED", `${refusedTunnel}, then reset`],
] as const)
  UNPROVEN.push([`${code}: ${message}, which is not a refused tunnel`, systemError(code, undefined, message), code]);

describe.each(["safe", "idempotent"] as const)("retry: %s", (retry) => {
  test.each(UNSENT)("%s proves that nothing was sent, and is sent again", async (_, error, code) => {
    const mocked = setup([error, error, error, error], { retry });
    const failed = await failure(mocked);
    expect(mocked.posts).toHaveLength(3);
    expect(failed).toMatchObject({ kind: "connection", outcome: "not-sent" });
    expect(failed.message).toMatch(/; the request was not sent$/);
    expect(failed.attempts).toMatchObject([
      { number: 1, reason: "network", code },
      { number: 2, reason: "network", code },
      { number: 3, reason: "network", code },
    ]);
  });

  test.each(UNSENDABLE)("%s proves that nothing was sent, and is not tried again", async (_, error) => {
    const mocked = setup([error, error], { retry });
    const failed = await failure(mocked);
    expect(mocked.posts).toHaveLength(1);
    expect(failed).toMatchObject({ kind: "connection", outcome: "not-sent" });
  });

  test.each(UNPROVEN)("%s proves nothing", async (_, error, code) => {
    const mocked = setup([error, error, error, error], { retry });
    const failed = await failure(mocked);
    expect(mocked.posts).toHaveLength(retry === "safe" ? 1 : 3);
    expect(failed).toMatchObject({ kind: "connection", outcome: "unknown" });
    expect(failed.message).toMatch(/; the plant may exist$/);
    expect(failed.attempts[0]?.code).toBe(code);
    expect("code" in (failed.attempts[0] ?? {})).toBe(code !== undefined);
  });

  test.each([200, 201, 302, 400, 404, 429])(
    "a body that breaks off after status %i is not sent again",
    async (status) => {
      const mocked = setup([brokenOff(status, systemError("UND_ERR_SOCKET"))], { retry });
      const failed = await failure(mocked);
      expect(mocked.posts).toHaveLength(1);
      expect(failed).toMatchObject({ kind: "connection", outcome: "unknown" });
      expect(failed.attempts).toMatchObject([{ status, reason: "body", code: "UND_ERR_SOCKET" }]);
    },
  );

  test.each([408, 500, 502, 503, 504])(
    "an incomplete body after status %i has the verdict of that status",
    async (status) => {
      const broken = () => brokenOff(status, systemError("UND_ERR_SOCKET"));
      const mocked = setup([broken, broken, broken], { retry });
      expect(await failure(mocked)).toMatchObject({ kind: "connection", outcome: "unknown" });
      expect(mocked.posts).toHaveLength(retry === "safe" ? 1 : 3);
    },
  );

  test("a failure while the body is read proves nothing: the service had the request", async () => {
    const mocked = setup([brokenOff(200, connectionRefused())], { retry });
    expect(await failure(mocked)).toMatchObject({ kind: "connection", outcome: "unknown" });
    expect(mocked.posts).toHaveLength(1);
  });
});

test.each(["safe", "idempotent"] as const)(
  "retry: %s, a plant that is too long for a string is not sent",
  async (retry) => {
    const mocked = setup([created], { retry });
    const stringify = vi.spyOn(JSON, "stringify").mockImplementation(() => {
      throw new RangeError("Invalid string length");
    });
    const { error, attempts } = await mocked.client.tryCreatePlant({ id: 7, name: '"' });
    stringify.mockRestore();
    expect(error).toMatchObject({ kind: "connection", outcome: "not-sent" });
    expect(error?.message).toBe(`POST ${URL_OF_PLANTS} failed: Invalid string length; the request was not sent`);
    expect(attempts).toHaveLength(1);
    expect(mocked.posts).toHaveLength(0);
  },
);

test("a refused connection that recovers resolves to the plant", async () => {
  const { client, clock } = setup([connectionRefused(), created()]);
  expect(await clock.until(client.createPlant(PLANT))).toEqual({ name: "Monstera", tag: "indoor" });
});

test("the message carries the innermost reason, and the address", async () => {
  const error = fetchFailed(systemError("ECONNRESET", "read", "read ECONNRESET"));
  expect((await failure(setup([error]))).message).toBe(
    `POST ${URL_OF_PLANTS} failed: read ECONNRESET; the plant may exist`,
  );
});

test("the message of several addresses carries the reason of the first", async () => {
  const error = everyAddress(
    systemError("ECONNREFUSED", "connect", "connect ECONNREFUSED ::1:4010"),
    systemError("ECONNREFUSED", "connect", "connect ECONNREFUSED 127.0.0.1:4010"),
  );
  expect((await failure(setup([error], { maxRetries: 0 }))).message).toBe(
    `POST ${URL_OF_PLANTS} failed: connect ECONNREFUSED ::1:4010; the request was not sent`,
  );
});

describe("a fetch with unusual errors", () => {
  const own = new Error("itself");
  own.cause = own;

  test.each([
    ["a text", "down", /failed: down;/],
    ["a number", 42, /failed: 42;/],
    ["a symbol", Symbol("odd"), /failed: Symbol\(odd\);/],
    ["a plain object", { code: "ECONNRESET", message: "plain" }, /failed: plain;/],
    ["an object without a prototype", Object.create(null), /failed: /],
    ["an error that is its own cause", own, /failed: itself;/],
  ])("that rejects with %s is a connection error", async (_, thrown, message) => {
    const mocked = setup([() => Promise.reject(thrown)]);
    const error = await failure(mocked);
    expect(error).toMatchObject({ kind: "connection", outcome: "unknown" });
    expect(error.message).toMatch(message);
  });

  test.each([42, true])("that rejects with %s has it as its cause, unchanged", async (thrown) => {
    const error = await failure(setup([() => Promise.reject(thrown)]));
    expect(error.cause).toBe(thrown);
  });

  test("that throws before it returns a promise is a connection error", async () => {
    const fetch = () => {
      throw new TypeError("not implemented");
    };
    const error = await failure(setup([], { fetch }));
    expect(error).toMatchObject({ kind: "connection", outcome: "unknown" });
    expect(error.message).toMatch(/failed: not implemented;/);
  });
});

describe("under a fetch of the application's own, an error must name the request", () => {
  type Fields = { hostname?: string; address?: string; port?: number };
  const refused = (fields: Fields) => fetchFailed(Object.assign(systemError("ECONNREFUSED", "connect"), fields));
  const unknownName = (hostname: string) =>
    fetchFailed(Object.assign(systemError("ENOTFOUND", "getaddrinfo"), { hostname }));

  const outcomeAt = async (baseUrl: string, error: Error) => {
    const fetch = () => Promise.reject(error);
    const failed = await failure(setup([], { baseUrl, fetch, maxRetries: 0 }));
    return failed.outcome;
  };

  /** The same under a wrapper that replaces the global fetch. */
  const outcomeUnderGlobal = async (error: Error) => {
    vi.stubGlobal("fetch", () => Promise.reject(error));
    const failed = await failure(setup([], { baseUrl: "https://plants.test", fetch: undefined, maxRetries: 0 }));
    return failed.outcome;
  };
  afterEach(() => vi.unstubAllGlobals());

  test.each<[baseUrl: string, what: string, error: Error]>([
    ["http://127.0.0.1:4010", "its address and port", refused({ address: "127.0.0.1", port: 4010 })],
    ["http://127.0.0.1", "port 80 of http", refused({ address: "127.0.0.1", port: 80 })],
    ["https://10.0.0.7", "port 443 of https", refused({ address: "10.0.0.7", port: 443 })],
    ["http://[::1]:4010", "its address of IPv6", refused({ address: "::1", port: 4010 })],
    ["https://plants.test", "its name and port", refused({ hostname: "plants.test", address: "10.0.0.7", port: 443 })],
    ["https://plants.test", "its name, which has no address", unknownName("plants.test")],
  ])("at %s, %s: nothing was sent", async (baseUrl, _, error) => {
    expect(await outcomeAt(baseUrl, error)).toBe("not-sent");
  });

  test.each<[baseUrl: string, what: string, error: Error]>([
    ["http://127.0.0.1:4010", "another port", refused({ address: "127.0.0.1", port: 4011 })],
    ["http://127.0.0.1:4010", "another address", refused({ address: "127.0.0.2", port: 4010 })],
    ["http://127.0.0.1:4010", "no port", refused({ address: "127.0.0.1" })],
    ["http://127.0.0.1:4010", "nothing at all", refused({})],
    ["https://plants.test", "an address that may be another's", refused({ address: "10.0.0.7", port: 443 })],
    ["https://plants.test", "another name", unknownName("login.test")],
    ["https://plants.test", "a certificate of nobody", fetchFailed(systemError("CERT_HAS_EXPIRED"))],
    ["https://plants.test", "a timeout of nobody", fetchFailed(systemError("UND_ERR_CONNECT_TIMEOUT"))],
    [
      "http://127.0.0.1:4010",
      "one address of two",
      everyAddress(
        Object.assign(systemError("ECONNREFUSED", "connect"), { address: "127.0.0.1", port: 4010 }),
        Object.assign(systemError("ECONNREFUSED", "connect"), { address: "::1", port: 4010 }),
      ),
    ],
  ])("at %s, %s: the plant may exist", async (baseUrl, _, error) => {
    expect(await outcomeAt(baseUrl, error)).toBe("unknown");
  });

  test.each<[what: string, error: Error]>([
    ["another port", refused({ address: "10.0.0.7", port: 4011 })],
    ["another name", unknownName("audit.test")],
    // Over HTTP/2 they may come after the request.
    ["bytes that are not TLS", fetchFailed(systemError("ERR_SSL_WRONG_VERSION_NUMBER"))],
  ])("instead of the global one, %s: the plant may exist", async (_, error) => {
    expect(await outcomeUnderGlobal(error)).toBe("unknown");
  });

  test.each<[what: string, error: Error]>([
    ["an address and the port", refused({ address: "10.0.0.7", port: 443 })],
    ["its name", unknownName("plants.test")],
    ["nothing at all", refused({})],
  ])("instead of the global one, %s: nothing was sent", async (_, error) => {
    expect(await outcomeUnderGlobal(error)).toBe("not-sent");
  });

  test("Node's own fetch as an option counts as the global one", async () => {
    const server = createServer().listen(0, "localhost");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const options = { baseUrl: `http://localhost:${port}`, token: "t", fetch: globalThis.fetch, maxRetries: 0 };
    expect(await new PlantStoreClient(options).tryCreatePlant(PLANT)).toMatchObject({
      error: { kind: "connection", outcome: "not-sent" },
    });
  });

  test("a global fetch that the token provider removes is a connection error", async () => {
    const token = () => {
      vi.stubGlobal("fetch", undefined);
      return "t";
    };
    const { client } = setup([], { fetch: undefined, token });
    expect(await client.tryCreatePlant({ id: 7, name: "Fern" })).toMatchObject({
      error: { kind: "connection", outcome: "not-sent" },
    });
  });
});
