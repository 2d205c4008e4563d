import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { Fetch } from "plant-store-client/mock";
import { startMockPlantStore } from "plant-store-client/mock/http";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { run } from "../../../mock/calibrate/run.ts";
import { survey } from "../../../mock/calibrate/survey.ts";
import { createHost } from "../http/process-host.ts";
import { useFolder } from "../http/use-folder.ts";
import { type Choices, createService, type Rejection } from "./generated-service.ts";
import { calibrate, serve, TOKEN, URL } from "./run-calibrate.ts";

const folder = useFolder();

const HEADERS = { "Content-Type": "application/json", "WWW-Authenticate": "Bearer" };
const rejection = (status: number, error: number): Rejection => {
  return { status, headers: HEADERS, body: JSON.stringify({ error, message: `not for ${TOKEN}` }) };
};

const choices: Choices = {
  notFound: { status: 404, headers: {}, body: "" },
  methodNotAllowed: { status: 405, headers: { ...HEADERS, Allow: "POST" }, body: '{"error":5,"message":"no"}' },
  severalTokens: rejection(400, 40001),
  missingToken: rejection(401, 40101),
  invalidToken: rejection(401, 9),
  mediaType: rejection(415, 2),
  tooLarge: "accept",
  encoding: { status: 400, headers: { "Content-Type": "text/html" }, body: "<p>No</p>" },
  json: rejection(400, 40004),
  newPlant: { status: 400, headers: { "Content-Type": "application/json" }, body: '{"error":40005,"message":"no"}' },
  unknownFields: "accept",
  duplicateId: rejection(409, 1062),
};

describe("the report", () => {
  test("shows each difference with its evidence, what agrees, and what is not found out, in every run alike", async () => {
    serve(choices);
    const first = await calibrate([]);
    expect(await calibrate([])).toEqual(first);
    expect(first).toEqual({
      status: 1,
      stderr: "",
      stdout: `Up to 8 plants named "plant-store-mock calibrate" will be created at ${URL}, which cannot be deleted.
13 requests were sent. 3 plants may exist now.
The service and the mock differ:
  notFound, if a request has a path that no operation has
    service: 404, no media type
    mock:    404, error 40401
    changed by: replies.notFound
  methodNotAllowed, if a request has a method that no operation has
    service: 405, error 5, WWW-Authenticate, Allow
    mock:    405, error 40501, Allow
    changed by: replies.methodNotAllowed
  invalidToken, if a request has an invalid token
    service: 401, error 9, WWW-Authenticate
    mock:    200, application/json
    changed by: auth, replies.invalidToken
  mediaType, if a request has the media type text/plain
    service: 415, error 2, WWW-Authenticate
    mock:    400, error 40002
    changed by: replies.mediaType
  tooLarge, if a request has a body of 1 MiB and one byte
    service: 200, application/json
    mock:    413, error 41301
    changed by: maxBodyBytes
  encoding, if a request has a body that is ill-formed UTF-8
    service: 400, text/html
    mock:    400, error 40003
    changed by: replies.encoding
  json, if a request has a body that is not JSON
    service: 400, error 40004, WWW-Authenticate
    mock:    400, error 40004
    changed by: replies.json
  duplicateId, if a request has a plant whose id exists
    service: 409, error 1062, WWW-Authenticate
    mock:    200, application/json
    changed by: duplicateIds, replies.duplicateId
They agree in: severalTokens, missingToken, newPlant, unknownFields.
Not found out:
  outside: it is about the \`fetch\` of the mock, not about the service
  anyToken: the request with an invalid token shows it: see invalidToken
  rateLimited: it would take more requests than calibrate sends
`,
    });
  });

  test("says if no option makes them agree, the service has another operation, or does not return what is declared", async () => {
    const { fetch } = createService(choices, TOKEN);
    vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
      const isJson = /^{.*}$/.test(`${init.body}`);
      if (!isJson) return new Response('{"name":"Aloe"}', { status: 201 });
      const response = await fetch(url, init);
      return response.ok ? new Response(response.body, { status: 201 }) : response;
    });
    const { stdout } = await calibrate([]);
    expect(stdout).toContain(
      "    service: 201, text/plain\n    mock:    400, error 40004\n    no option makes them agree\n",
    );
    expect(stdout).toContain(
      "methodNotAllowed: the service has an operation there, which the contract does not show\n",
    );
    expect(stdout).toContain("\nA valid plant returned 201; the contract declares 200.\n");
  });
});

test("the written configuration keeps the other options of the file, and has no token", async () => {
  const config = folder.write("mock.json", '{"port":4444,"rateLimit":"50/s","replies":{"json":{"status":418}}}');
  const file = folder.path("written.json");
  serve(choices);
  expect((await calibrate(["--config", config, "--write", file])).stdout).toContain(`\n${file} was written.\n`);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
    port: 4444,
    rateLimit: "50/s",
    auth: { tokens: ["a-valid-token"] },
    duplicateIds: "reject",
    maxBodyBytes: 1_048_577,
    replies: {
      notFound: { status: 404 },
      methodNotAllowed: {
        status: 405,
        headers: { "WWW-Authenticate": "Bearer", Allow: "POST" },
        body: { error: 5, message: "no" },
      },
      invalidToken: { error: 9 },
      mediaType: {
        status: 415,
        headers: { "WWW-Authenticate": "Bearer" },
        body: { error: 2, message: "not for [token]" },
      },
      encoding: { status: 400, headers: { "Content-Type": "text/html" }, body: "<p>No</p>" },
      json: {
        status: 400,
        headers: { "WWW-Authenticate": "Bearer" },
        body: { error: 40004, message: "not for [token]" },
      },
      duplicateId: {
        status: 409,
        headers: { "WWW-Authenticate": "Bearer" },
        body: { error: 1062, message: "not for [token]" },
      },
    },
  });
});

test("a service on a port that does what the configuration says agrees with it; its plants are marked", async () => {
  const options = { duplicateIds: "reject", unknownFields: "reject", replies: { json: { error: 17 } } } as const;
  const store = await startMockPlantStore({ ...options, auth: { tokens: [TOKEN] } });
  onTestFinished(() => store.close());
  const config = folder.write("agrees.json", JSON.stringify({ ...options, auth: { tokens: ["another"] } }));

  const { status, stdout } = await calibrate(["--config", config], store.url);
  expect([status, stdout]).toEqual([0, expect.stringContaining("\nThe service and the mock do not differ.\n")]);
  expect([...store.plants].map(({ name }) => name)).toEqual(["plant-store-mock calibrate"]);
  expect(store.requests.count).toBe(13);
});

describe("an address that is not that of a plant store gets one request", () => {
  test.each<[string, RequestListener, string]>([
    [
      "a page",
      (_, response) => response.end("<p>Hello</p>"),
      "returned 200, no media type to a valid plant: this is not a",
    ],
    [
      "a redirect",
      (_, response) => response.writeHead(307, { Location: "http://localhost:1/" }).end(),
      "returned 307, no media type to a valid plant: this is not a plant store, or the URL lacks its base path",
    ],
    [
      "a refusal of the token",
      (_, response) => response.writeHead(403, { "Content-Type": "application/json" }).end('{"error":3,"message":""}'),
      "returned 403, error 3: the service does not accept the token",
    ],
    ["no response", (request) => request.socket.destroy(), "no response: "],
  ])("%s", async (_, listener, problem) => {
    const onRequest = vi.fn();
    const server = createServer(listener).on("request", onRequest).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { status, stderr } = await calibrate(["--config", folder.write("empty.json", "{}")], url);
    expect([status, stderr]).toEqual([1, expect.stringContaining(`plant-store-mock: POST ${url}/plants: ${problem}`)]);
    expect(onRequest).toHaveBeenCalledTimes(1);
  });
});

describe("a service with a limit", () => {
  /** Asks a service that refuses the second request, and returns how long that made it wait. */
  async function askBusy(status: number, headers: Record<string, string>) {
    const { fetch } = createService(choices, TOKEN);
    const wait = vi.fn(async (_ms: number) => {});
    let count = 0;
    const busy: Fetch = async (url, init = {}) => {
      return ++count === 2 ? new Response(null, { status, headers }) : fetch(`${url}`, init);
    };
    const { requests, open, findings } = await survey({ baseUrl: URL, token: TOKEN, fetch: busy }, wait);
    return { requests, open, findings: findings.length, waitedMs: wait.mock.calls.flat() };
  }

  test.each<[number, Record<string, string>, number[]]>([
    [429, { "Retry-After": "7" }, [7_000]],
    [503, { "Retry-After": "7" }, [7_000]],
    [429, { "Retry-After": "0" }, [0]],
    [429, {}, [1_000]],
    [429, { "Retry-After": "soon" }, [1_000]],
    [429, { "Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT" }, [0]],
  ])("is asked again after a %i with %j", async (status, headers, waitedMs) => {
    expect(await askBusy(status, headers)).toMatchObject({ requests: 14, findings: 12, waitedMs });
  });

  test("is not asked again if it wants a long pause", async () => {
    const { requests, open, findings, waitedMs } = await askBusy(429, { "Retry-After": "61" });
    expect({ requests, findings, waitedMs }).toEqual({ requests: 2, findings: 0, waitedMs: [] });
    expect(open).toContainEqual(["json", "not asked: the service wants a pause of 61 s"]);
  });

  test("gets 20 requests", async () => {
    const { received } = serve(choices, 2);
    const { stdout } = await calibrate([]);
    expect(received).toHaveLength(20);
    expect(stdout).toContain("\n  newPlant: not asked, after 20 requests\n");
  });

  test("gets 8 plants, among them those of which nobody knows whether they exist", async () => {
    const { fetch } = createService(choices, TOKEN);
    let count = 0;
    vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
      count++;
      if (init.method === "GET" || count === 1) return fetch(url, init);
      if (count % 2 === 0) throw new TypeError("fetch failed", { cause: new Error("the socket broke") });
      return new Response(null, { status: 408 });
    });
    const { stdout } = await calibrate([]);
    expect(count).toBe(10);
    expect(stdout).toContain("\n  missingToken: returned 408\n");
    expect(stdout).toContain("\n10 requests were sent. 8 plants may exist now.\n");
    expect(stdout).toContain("\n  severalTokens: no response: the socket broke\n");
    expect(stdout).toContain("\n  duplicateId: not asked, after 8 plants\n");
  });
});

test("an endless body is not read", async () => {
  const { fetch } = createService(choices, TOKEN);
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    const pull = (controller: ReadableStreamDefaultController) => controller.enqueue(new Uint8Array(4_096).fill(120));
    return init.method === "GET" ? new Response(new ReadableStream({ pull }), { status: 405 }) : fetch(url, init);
  });
  expect((await calibrate([])).stdout).toContain("    service: 405, no media type\n");
});

describe("the command", () => {
  test.each([
    ["y", 1],
    ["yes", 1],
    ["", 0],
    ["n", 0],
  ])('asks before it creates plants: "%s"', async (answer, requests) => {
    const fetch = vi.fn(() => Promise.reject(new Error("off")));
    vi.stubGlobal("fetch", fetch);
    const question = vi.fn(async () => answer);
    const host = { ...createHost(false, { PLANT_STORE_TOKEN: TOKEN }), question };
    expect(await run(["calibrate", URL], host)).toBe(1);
    expect(question).toHaveBeenCalledExactlyOnceWith("Continue? [y/N] ");
    expect(fetch).toHaveBeenCalledTimes(requests);
  });

  test.each([
    [[], "the URL is missing; write plant-store-mock calibrate URL"],
    [["sandbox.test", "--token", "t"], "the URL must be an http or https URL, such as https://plants.example"],
    [["http://sandbox.test", "--token", "t"], "the URL must be https, because http shows the token; or set PLANT"],
    [[URL], "the token is missing; set --token or PLANT_STORE_TOKEN"],
    [[URL, "--token", "two words"], '--token: must be visible ASCII characters without spaces; character 4 is " "'],
    [[URL, "--token", "t"], "there is no terminal to ask on; set --yes to agree"],
    [[URL, "--token", "t", "--config", "none.json"], "none.json: cannot be read: ENOENT"],
  ])("%j is refused", async (flags, problem) => {
    const host = createHost();
    expect([await run(["calibrate", ...flags], host), host.text.stderr]).toEqual([
      2,
      expect.stringContaining(`plant-store-mock: ${problem}`),
    ]);
  });

  test("a configuration that is not that of a mock is refused", async () => {
    const config = folder.write("wrong.json", '{"duplicateIds":"maybe"}');
    expect(await calibrate(["--config", config])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('wrong.json: duplicateIds: must be "accept" or "reject", not "maybe"'),
    });
  });

  test("a file that cannot be written is named", async () => {
    serve(choices);
    const file = folder.path("no/such/folder.json");
    expect(await calibrate(["--write", file])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(`--write ${file}: cannot be written: ENOENT`),
    });
  });

  test("plain http is permitted by the variable of the client", async () => {
    serve(choices);
    const host = createHost(false, { PLANT_STORE_ALLOW_INSECURE: "1" });
    expect(await calibrate([], "http://sandbox/v2", host)).toMatchObject({ status: 1, stderr: "" });
  });

  test("ends at a signal", async () => {
    vi.stubGlobal("fetch", () => new Promise(() => {}));
    const host = createHost();
    const ended = calibrate([], URL, host);
    host.signal(15);
    expect((await ended).status).toBe(143);
  });

  test("--help prints the help that was reviewed, in 80 columns; --version the version", async () => {
    const host = createHost();
    expect(await run(["calibrate", "--help"], host)).toBe(0);
    await expect(host.text.stdout).toMatchFileSnapshot("../../../etc/help-calibrate.txt");
    expect(Math.max(...host.text.stdout.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(80);
    const other = createHost();
    expect([await run(["calibrate", "--version"], other), other.text.stdout]).toEqual([0, "1.2.3\n"]);
  });
});
