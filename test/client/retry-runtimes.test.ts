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
  const { proofOf } = await import("../../src/proof/network-error.ts");
  return proofOf(error);
}

describe("on Bun the codes are on the error itself, without a system call", () => {
  test.each([
    "ECONNREFUSED",
    "ENOTFOUND",
    "EAI_AGAIN",
    "EHOSTUNREACH",
    "ENETUNREACH",
    "ConnectionRefused",
    "FailedToOpenSocket",
  ])("%s proves that nothing was sent", async (code) => {
    const error = systemError(code, undefined, "Unable to connect. Is the computer able to access the url?");
    expect(await proofOn("Bun", error)).toBe("unsent");
  });
  test.each(["ECONNRESET", "ConnectionClosed", "ETIMEDOUT", "EPIPE"])("%s proves nothing", async (code) => {
    expect(await proofOn("Bun", systemError(code))).toBe("nothing");
  });
  test("a certificate that is not trusted is unsendable", async () => {
    expect(await proofOn("Bun", systemError("DEPTH_ZERO_SELF_SIGNED_CERT"))).toBe("unsendable");
    expect(await proofOn("Bun", systemError("UNABLE_TO_VERIFY_LEAF_SIGNATURE"))).toBe("unsendable");
    expect(await proofOn("Bun", new AggregateError([systemError("CERT_HAS_EXPIRED")]))).toBe("unsendable");
  });
  test("a refusal of another system call proves nothing", async () => {
    expect(await proofOn("Bun", systemError("ECONNREFUSED", "read"))).toBe("nothing");
  });
});

describe("on Deno the message of the error names the phase", () => {
  const refused = "error sending request for url (http://127.0.0.1:9/): client error (Connect): tcp connect error";
  test("Connect in the message proves that nothing was sent", async () => {
    expect(await proofOn("Deno", new TypeError(refused))).toBe("unsent");
  });
  test("Connect in the message of the cause does too", async () => {
    expect(await proofOn("Deno", new TypeError("fetch failed", { cause: new Error(refused) }))).toBe("unsent");
  });
  test.each(["invalid peer certificate: UnknownIssuer", "certificate not valid for name: NotValidForName"])(
    "Connect with %s is unsendable",
    async (words) => {
      expect(await proofOn("Deno", new TypeError(`client error (Connect): ${words}`))).toBe("unsendable");
    },
  );
  test("SendRequest proves nothing", async () => {
    const error = new TypeError("client error (SendRequest): connection closed before message completed");
    expect(await proofOn("Deno", error)).toBe("nothing");
  });
  test("an error without a message proves nothing", async () => {
    expect(await proofOn("Deno", { cause: { message: 7 } })).toBe("nothing");
  });
  test("the message proves nothing on another runtime", async () => {
    expect(await proofOn("node", new TypeError(refused))).toBe("nothing");
  });

  test("the body is a Blob of the same type and text, so that Deno does not send it again by itself", async () => {
    vi.stubGlobal("Deno", {});
    vi.resetModules();
    const { PlantStoreClient } = await import("plant-store-client");
    let init: RequestInit | undefined;
    const client = new PlantStoreClient({
      baseUrl: "https://plants.test",
      token: "t",
      fetch: async (_, given) => {
        init = given;
        return Response.json({ name: "Monstera" });
      },
    });
    await client.createPlant({ id: 1, name: "Monstera" });
    const body = init?.body as Blob;
    expect(body).toBeInstanceOf(Blob);
    expect(body.type).toBe("application/json");
    expect(await body.text()).toBe('{"id":1,"name":"Monstera"}');
    expect(new Headers(init?.headers).get("content-type")).toBe("application/json");
  });
});

describe("a fetch that may send other requests too", () => {
  const bunRefused = (path: string) => Object.assign(systemError("ECONNREFUSED"), { path });
  const denoRefused = (url: string) =>
    new TypeError("fetch failed", {
      cause: new Error(`error sending request for url (${url}): client error (Connect): tcp connect error`),
    });
  const denoDenied = (host: string) =>
    new Error(`Requires net access to "${host}", run again with the --allow-net flag`);

  async function outcomeOn(runtime: string, error: Error, kind: "global" | "option"): Promise<string> {
    vi.stubGlobal(runtime, {});
    vi.resetModules();
    const { PlantStoreClient } = await import("plant-store-client");
    const fetch = () => Promise.reject(error);
    if (kind === "global") vi.stubGlobal("fetch", fetch);
    const options = { baseUrl: "https://plants.test/v1", token: "t", maxRetries: 0 };
    const client = new PlantStoreClient(kind === "global" ? options : { ...options, fetch });
    const result = await client.tryCreatePlant({ id: 1, name: "Monstera" });
    return result.ok ? "created" : result.error.outcome;
  }

  test.each<[runtime: string, error: Error]>([
    ["Bun", bunRefused("https://plants.test/v1/plants")],
    ["Deno", denoRefused("https://plants.test/v1/plants")],
    ["Deno", denoDenied("plants.test:443")],
  ])("on %s, an error that names the service proves that nothing was sent: %s", async (runtime, error) => {
    expect(await outcomeOn(runtime, error, "global")).toBe("not-sent");
    expect(await outcomeOn(runtime, error, "option")).toBe("not-sent");
  });

  test.each<[runtime: string, error: Error]>([
    ["Bun", bunRefused("https://traces.test/v1/plants")],
    ["Bun", bunRefused("https://plants.test:4318/v1/plants")],
    ["Deno", denoRefused("https://traces.test/v1/plants")],
    ["Deno", denoDenied("traces.test:443")],
    ["Deno", denoDenied("plants.test:80")],
  ])("on %s, an error that names another server proves nothing: %s", async (runtime, error) => {
    expect(await outcomeOn(runtime, error, "global")).toBe("unknown");
    expect(await outcomeOn(runtime, error, "option")).toBe("unknown");
  });

  test.each<[runtime: string, error: Error]>([
    ["Bun", bunRefused("/run/plants.sock")],
    ["Deno", new TypeError("client error (Connect)")],
  ])("on %s, an error that names no server proves nothing if the fetch is an option: %s", async (runtime, error) => {
    expect(await outcomeOn(runtime, error, "option")).toBe("unknown");
  });
});

test.each([
  ["1.2.0", false],
  ["1.3.14", false],
  ["1.4.0", undefined],
  ["2.0.0", undefined],
])("on Bun %s keepalive is %s: before 1.4 it sends a POST again on a reused connection", async (version, expected) => {
  vi.stubGlobal("Bun", { version });
  vi.resetModules();
  const { PlantStoreClient } = await import("plant-store-client");
  let init: RequestInit | undefined;
  const fetch = async (_: string, given: RequestInit) => {
    init = given;
    return Response.json({ name: "Monstera" });
  };
  await new PlantStoreClient({ baseUrl: "https://plants.test", token: "t", fetch }).createPlant({ id: 1, name: "M" });
  expect(init?.keepalive).toBe(expected);
});

describe("in browsers every failure of the network is opaque", () => {
  test.each(["Failed to fetch", "NetworkError when attempting to fetch resource.", "Load failed"])(
    "%s proves nothing",
    async (message) => {
      expect(await proofOn("node", new TypeError(message))).toBe("nothing");
    },
  );
});
