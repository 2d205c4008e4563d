import { afterEach, describe, expect, test, vi } from "vitest";
import { systemError } from "./fixtures/network-errors.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** What the transport makes of an error on a runtime, which it tells by a global. */
async function proofOn(runtime: "Bun" | "Deno" | "node", error: unknown): Promise<string> {
  if (runtime !== "node") vi.stubGlobal(runtime, {});
  vi.resetModules();
  const { proofOf } = await import("../../src/platform/proof.ts");
  return proofOf(error);
}

const REFUSED = "error sending request for url (http://127.0.0.1:9/): client error (Connect): tcp connect error";
const onDeno = (words: string) => new TypeError(`client error (Connect): ${words}`);

type Row = readonly [runtime: "Bun" | "Deno" | "node", what: string, error: unknown, proof: string];

test.each<Row>([
  // Bun has the code on the error itself, without a system call.
  ...[
    ...["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"],
    ...["ConnectionRefused", "FailedToOpenSocket"],
  ].map((code): Row => ["Bun", code, systemError(code, undefined, "Unable to connect."), "unsent"]),
  ...["ECONNRESET", "ConnectionClosed", "ETIMEDOUT", "EPIPE"].map(
    (code): Row => ["Bun", code, systemError(code), "unproven"],
  ),
  ...["DEPTH_ZERO_SELF_SIGNED_CERT", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"].map(
    (code): Row => ["Bun", code, systemError(code), "unsendable"],
  ),
  ["Bun", "a list of certificates", new AggregateError([systemError("CERT_HAS_EXPIRED")]), "unsendable"],
  ["Bun", "a refusal of another system call", systemError("ECONNREFUSED", "read"), "unproven"],
  // On Deno the message names the phase.
  ["Deno", "Connect", new TypeError(REFUSED), "unsent"],
  ["Deno", "Connect in the cause", new TypeError("fetch failed", { cause: new Error(REFUSED) }), "unsent"],
  ["Deno", "a certificate", onDeno("invalid peer certificate: UnknownIssuer"), "unsendable"],
  ["Deno", "a name", onDeno("certificate not valid for name: NotValidForName"), "unsendable"],
  [
    "Deno",
    "a denied permission",
    new Error('Requires net access to "a:443", run again with the --allow-net'),
    "unsendable",
  ],
  ["Deno", "SendRequest", new TypeError("client error (SendRequest): connection closed"), "unproven"],
  ["Deno", "no message", { cause: { message: 7 } }, "unproven"],
  ["node", "the words of Deno", new TypeError(REFUSED), "unproven"],
  ...["Failed to fetch", "NetworkError when attempting to fetch resource.", "Load failed"].map(
    (words): Row => ["node", words, new TypeError(words), "unproven"],
  ),
])("on %s, %s", async (runtime, _, error, proof) => {
  expect(await proofOn(runtime, error)).toBe(proof);
});

/** What the client passes to fetch on a runtime. */
async function initOn(runtime: "Bun" | "Deno", global: object): Promise<RequestInit> {
  vi.stubGlobal(runtime, global);
  vi.resetModules();
  const { PlantStoreClient } = await import("plant-store-client");
  const fetch = vi.fn(async (_url: string, _init: RequestInit) => Response.json({ name: "Monstera" }));
  const client = new PlantStoreClient({ baseUrl: "https://plants.test", token: "t", fetch });
  await client.createPlant({ id: 1, name: "Monstera" });
  return fetch.mock.lastCall?.[1] as RequestInit;
}

test("on Deno the body is a Blob of the same type and text, so that it does not send it again by itself", async () => {
  const init = await initOn("Deno", {});
  const body = init.body as Blob;
  expect(body).toBeInstanceOf(Blob);
  expect(body.type).toBe("application/json");
  expect(await body.text()).toBe('{"id":1,"name":"Monstera"}');
  expect(new Headers(init.headers).get("content-type")).toBe("application/json");
  const { prepareRequest } = await import("../../src/platform/outside-browsers.ts");
  const get = { method: "GET", body: null };
  prepareRequest(() => {}, get);
  expect(get.body).toBeNull();
});

describe("on Bun and Deno, whose errors name no host,", () => {
  const errors: [runtime: "Bun" | "Deno", error: Error][] = [
    ["Bun", systemError("ECONNREFUSED")],
    ["Deno", new TypeError("fetch failed", { cause: new Error("client error (Connect): tcp connect error") })],
  ];
  /** The source of each runtime's own fetch. */
  const SOURCES = { Bun: "function fetch() { [native code] }", Deno: "function fetch(...e){return lazyFetch().fetch}" };

  /** The outcome under a fetch that rejects, with this source. */
  async function outcomeOn(runtime: "Bun" | "Deno", error: Error, kind: "global" | "option", source?: string) {
    vi.stubGlobal(runtime, {});
    vi.resetModules();
    const { PlantStoreClient } = await import("plant-store-client");
    const fetch = () => Promise.reject(error);
    if (kind === "global") vi.stubGlobal("fetch", fetch);
    const options = { baseUrl: "https://plants.test/v1", token: "t", maxRetries: 0 };
    const client = new PlantStoreClient(kind === "global" ? options : { ...options, fetch });
    const sourceOf = vi.spyOn(Function.prototype, "toString");
    if (source) sourceOf.mockReturnValue(source);
    const result = await client.tryCreatePlant({ id: 1, name: "Monstera" });
    sourceOf.mockRestore();
    return result.outcome;
  }

  test.each(errors)(
    "a refused connection proves something under the runtime's own fetch alone: %s",
    async (on, error) => {
      for (const kind of ["global", "option"] as const) {
        expect(await outcomeOn(on, error, kind, SOURCES[on])).toBe("not-sent");
        expect(await outcomeOn(on, error, kind)).toBe("unknown");
      }
    },
  );
});

test.each([
  ["1.2.0", false],
  ["1.3.14", false],
  ["1.4.0", undefined],
  ["2.0.0", undefined],
])("on Bun %s keepalive is %s: before 1.4 it sends a POST again on a reused connection", async (version, expected) => {
  expect((await initOn("Bun", { version })).keepalive).toBe(expected);
});
