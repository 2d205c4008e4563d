import { existsSync, readFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { createMockPlantStore } from "plant-store-client/mock";
import { startMockPlantStore } from "plant-store-client/mock/http";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { Interview } from "../../../mock/calibrate/interview.ts";
import { describeObservation } from "../../../mock/calibrate/observe.ts";
import { run } from "../../../mock/calibrate/run.ts";
import { survey } from "../../../mock/calibrate/survey.ts";
import { mustBe } from "../../rules-in-words.ts";
import { useFolder } from "../../use-folder.ts";
import { createHost } from "../http/process-host.ts";
import { type Choices, GeneratedService, type Rejection } from "./generated-service.ts";
import { calibrate, listen, serve, TOKEN, type Trouble } from "./run-calibrate.ts";

const folder = useFolder();

const URL = "https://sandbox.invalid/v2";

/** The flags with which nothing differs from what {@link serveMock} serves. */
const withTokens = () => ["--config", folder.write("tokens.json", '{"auth":{"tokens":["a-valid-token"]}}')];

/** Serves a mock, except for requests that the listener answers. */
async function serveMock(answers: (...[request, response]: Parameters<RequestListener>) => unknown) {
  const { handle } = createMockPlantStore({ auth: { tokens: [TOKEN] } });
  return listen(async (request, response) => {
    if (answers(request, response)) return;
    const body = request.method === "GET" ? null : await buffer(request);
    const { method = "", url, headers } = request;
    const init = { method, headers: headers as Record<string, string>, body };
    const reply = await handle(new Request(`https://plant-store.test${url}`, init));
    response.writeHead(reply.status, Object.fromEntries(reply.headers)).end(await reply.text());
  });
}

const HEADERS = { "Content-Type": "application/json", "WWW-Authenticate": 'Bearer realm="$TRACE"' };
const rejection = (status: number, error: number): Rejection => {
  return { status, headers: HEADERS, body: JSON.stringify({ error, message: "not for $TOKEN, $TRACE" }) };
};
const plainRejection = (status: number, error: number): Rejection => {
  return { status, headers: { "Content-Type": "application/json" }, body: JSON.stringify({ error, message: "no" }) };
};
const invalid = plainRejection(400, 40005);

/** A service that differs from the mock in some respects, all of which options can express. */
const choices: Choices = {
  created: { status: 200, adds: [] },
  notFound: { status: 404, headers: {}, body: "" },
  methodNotAllowed: { status: 405, headers: { ...HEADERS, Allow: "POST" }, body: '{"error":5,"message":"no"}' },
  severalTokens: rejection(400, 40001),
  missingToken: rejection(401, 40101),
  invalidToken: rejection(401, 9),
  mediaType: rejection(415, 2),
  encoding: { status: 400, headers: { "Content-Type": "text/html" }, body: "<p>No $TRACE</p>" },
  emptyBody: rejection(400, 40004),
  json: rejection(400, 40004),
  newPlant: invalid,
  emptyName: "accept",
  nullTag: invalid,
  idAsText: invalid,
  idWithFraction: "accept",
  idBeyondInt64: invalid,
  unknownFields: "accept",
  duplicateId: rejection(409, 1062),
};

/** One that differs in two respects that no option of the mock can express. */
const peculiar: Choices = {
  ...choices,
  created: { status: 201, adds: ["id", "null", "upper case"] },
  emptyName: plainRejection(422, 7),
};

const PECULIAR_FLAGS = [
  "--except",
  "created=201-application/json-another-name-than-the-one-sent-null-for-an-absent-tag-the-client-reads-it-as-absent-more-fields-id",
  "--except",
  "emptyName=422-error-7",
];

describe("the report", () => {
  test("shows each difference with its evidence, what agrees, and what is not tried, in every run alike", async () => {
    const { url } = await serve(choices);
    const first = await calibrate(url);
    expect(await calibrate(url)).toEqual(first);
    expect(first).toEqual({
      status: 1,
      stderr: "",
      stdout: `Up to 32 plants named "plant-store-mock calibrate" will be created at ${url}, which cannot be deleted.
48 requests were sent. 13 plants may exist now.
The service and the mock differ:
  notFound, if a request has a path that no operation has
    service: 404, no media type
    mock:    404, error 40401
  methodNotAllowed, if a request has a method that no operation has
    service: 405, error 5, WWW-Authenticate, Allow
    mock:    405, error 40501, Allow
  invalidToken, if a request has an invalid token
    service: 401, error 9, WWW-Authenticate
    mock:    200, application/json
  mediaType, if a request has the media type text/plain
    service: 415, error 2, WWW-Authenticate
    mock:    400, error 40002
  encoding, if a request has a body that is ill-formed UTF-8
    service: 400, text/html
    mock:    400, error 40003
  json, if a request has a body that is not JSON
    service: 400, error 40004, WWW-Authenticate
    mock:    400, error 40004
  emptyBody, if a request has an empty body
    service: 400, error 40004, WWW-Authenticate
    mock:    400, error 40004
  duplicateId, if a request has a plant whose id exists
    service: 409, error 1062, WWW-Authenticate
    mock:    200, application/json
They agree in: created, createdWithTag, severalTokens, missingToken, newPlant, emptyName, nullTag, idAsText, idWithFraction, idBeyondInt64, unknownFields.
Not tried:
  outside: it is about the \`fetch\` of the mock, not about the service
  anyToken: the request with an invalid token shows it: see invalidToken
  rateLimited: it would take more requests than calibrate sends
  tooLarge: no plant comes near the limit of a service; set \`maxBodyBytes\` yourself
`,
    });
  });

  test("says in what they agree, even if nothing differs", async () => {
    const url = await serveMock(() => false);
    const { status, stdout } = await calibrate(url, withTokens());
    expect([status, stdout]).toEqual([0, expect.stringContaining("\nThey agree in: created, createdWithTag, ")]);
    expect(stdout).not.toMatch(/differ|Not found out/);
  });

  test("says what no option can express, and the flag that names it", async () => {
    const { stdout } = await calibrate((await serve(peculiar)).url);
    expect(stdout).toContain(`
  created, if a request has a valid plant
    service: 201, application/json, another name than the one sent, null for an absent tag (the client reads it as absent), more fields: id
    mock:    200, application/json
    no option makes them agree: --except ${PECULIAR_FLAGS[1]}
`);
    expect(stdout).toContain(`
    service: 422, error 7
    mock:    200, application/json
    no option makes them agree: --except ${PECULIAR_FLAGS[3]}
`);
  });

  test("shows neither control characters nor a token that is the name of a field", async () => {
    const body = JSON.stringify({ name: "plant-store-mock calibrate", "\u001b[2J": 1, [TOKEN]: 2 });
    const { stdout } = await calibrate(await listen((_, response) => response.end(body)));
    expect(stdout).toContain("\n    service: 200, no media type, more fields: ?\n");
  });

  test("shows neither the token nor control characters in a reason", async () => {
    const { baseUrl, fetch } = createMockPlantStore();
    const send = vi.fn(fetch);
    // As Node reports a host with several addresses.
    const refused = Object.assign(new AggregateError([]), { code: "ECONNREFUSED" });
    send.mockImplementation((url, init = {}) => {
      if (init.method !== "GET") return fetch(url, init);
      return Promise.reject(`${url}`.endsWith("/plants") ? refused : new Error(`bad \x1b[2J Bearer ${TOKEN}`));
    });
    const { open } = await survey(new Interview({ baseUrl, token: TOKEN, fetch: send }, {}));
    expect([...open]).toEqual([
      ["notFound", "no response: bad [2J Bearer [redacted]"],
      ["methodNotAllowed", "no response: ECONNREFUSED"],
    ]);
  });

  test("shows no part of the token that is an error value, a name or a reason", async () => {
    const { baseUrl } = createMockPlantStore();
    const plant = { name: "plant-store-mock calibrate", secret_token: 1 };
    const send = async (url: string, { method, headers }: RequestInit) => {
      if (method === "GET") throw Object.assign(new Error("bad secret_token"), { code: "EPROTO" });
      const isAccepted = new Headers(headers).get("Authorization") === "Bearer secret_token_12345678";
      return isAccepted ? Response.json(plant) : Response.json({ error: 12345678, message: url }, { status: 401 });
    };
    const interview = new Interview({ baseUrl, token: "secret_token_12345678", fetch: send }, {});
    await survey(interview);
    const shown = interview.answers.map(({ name, reply }) => [name, describeObservation(reply)]);
    expect(Object.fromEntries(shown)).toMatchObject({
      created: "200, application/json, more fields: ?",
      notFound: "no response: EPROTO",
      missingToken: "401, application/json",
    });
  });

  test("says that there was no response in time", async () => {
    vi.spyOn(AbortSignal, "timeout").mockReturnValue(AbortSignal.abort());
    const { status, stderr } = await calibrate(await serveMock(() => false));
    expect([status, stderr]).toEqual([3, expect.stringContaining("no response within 30 s")]);
  });
});

describe("--write", () => {
  test("keeps the other options of the file, and stores neither tokens nor texts of the service", async () => {
    const given = { port: 4444, rateLimit: "50/s", auth: { tokens: [TOKEN] }, replies: { json: { status: 418 } } };
    const config = folder.write("mock.json", JSON.stringify(given));
    const file = folder.path("written.json");
    const { url } = await serve(choices);
    expect((await calibrate(url, ["--config", config, "--write", file])).status).toBe(0);
    const message = "calibrate keeps no messages of the service";
    const challenge = { "WWW-Authenticate": "Bearer" };
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      port: 4444,
      rateLimit: "50/s",
      auth: { tokens: ["a-valid-token"] },
      duplicateIds: "reject",
      replies: {
        notFound: { status: 404 },
        methodNotAllowed: { status: 405, headers: { ...challenge, Allow: "POST" }, body: { error: 5, message } },
        invalidToken: { error: 9 },
        mediaType: { status: 415, headers: challenge, body: { error: 2, message } },
        encoding: { status: 400, headers: { "Content-Type": "text/html" } },
        json: { status: 400, headers: challenge, body: { error: 40004, message } },
        duplicateId: { status: 409, headers: challenge, body: { error: 1062, message } },
      },
    });
  });

  test.each([TOKEN, TOKEN.slice(1)])("stores no token that a header of the service begins with: %s", async (echo) => {
    const file = folder.path("header.json");
    const notFound = { status: 404, headers: { "WWW-Authenticate": echo }, body: "" };
    const { url } = await serve({ ...choices, notFound });
    await calibrate(url, ["--write", file]);
    expect(readFileSync(file, "utf8")).not.toContain(echo);
  });

  test.each<[string, (answer: Rejection) => Rejection]>([
    ["", (answer) => answer],
    ["gzip", (answer) => ({ ...answer, body: gzipSync(answer.body) as never })],
    ["Deflate", (answer) => ({ ...answer, body: deflateSync(answer.body) as never })],
    ["unknown", (answer) => answer],
    ["gzip, br", (answer) => ({ ...answer, body: brotliCompressSync(gzipSync(answer.body)) as never })],
    ["identity", ({ body, ...answer }) => ({ ...answer, body: body && `\ufeff${body}\r\n` })],
  ])('is the same of a service with the encoding "%s", and another spelling', async (encoding, encode) => {
    const notFound = plainRejection(404, 404);
    const { url, service } = await serve({ ...choices, notFound });
    const answer = service.answer.bind(service);
    vi.spyOn(service, "answer").mockImplementation((request) => {
      const { headers, ...rest } = encode(answer(request));
      const type = headers["Content-Type"] && { "Content-Type": `${headers["Content-Type"]} ; CHARSET=utf-8` };
      const challenge = headers["WWW-Authenticate"] && { "WWW-Authenticate": "bearer" };
      return { ...rest, headers: { ...headers, ...type, ...challenge, "Content-Encoding": encoding } };
    });
    const file = folder.path("encoded.json");
    await calibrate(url, ["--write", file]);
    const { replies } = JSON.parse(readFileSync(file, "utf8"));
    expect(replies.notFound).toEqual({ error: 404 });
    expect(replies.json).toMatchObject({ headers: { "WWW-Authenticate": "Bearer" }, body: { error: 40004 } });
    expect(replies.encoding).toEqual({ status: 400, headers: { "Content-Type": "text/html" } });
  });

  test.each<[string, Rejection]>([
    ["error value", { ...plainRejection(400, 0), body: '{"error":$NUMBER,"message":"no"}' }],
    ["status", { ...invalid, status: 0 }],
  ])("is not written if another %s is in each response", async (_, answer) => {
    const file = folder.path("never.json");
    const { url, service } = await serve({ ...choices, newPlant: answer });
    const usual = service.answer.bind(service);
    let count = 0;
    vi.spyOn(service, "answer").mockImplementation((request) => {
      const { status, ...others } = usual(request);
      return { ...others, status: status || 410 + (count++ % 2) };
    });
    const { status, stdout } = await calibrate(url, ["--write", file]);
    expect([status, existsSync(file)]).toEqual([3, false]);
    expect(stdout).toMatch(
      /\n {2}newPlant: the answers differ: 4(00, error \d+; 400, error \d+|10, error 40005; 411, error 40005)\n/,
    );
  });

  test.each([
    ["two that take turns", [0, 1]],
    ["two, each twice in a row", [0, 0, 1, 1]],
    ["three that take turns", [0, 1, 2]],
  ])("is not written if several versions answer: %s", async (_, order) => {
    const versions = [
      choices,
      { ...choices, unknownFields: invalid, newPlant: plainRejection(400, 7), json: plainRejection(400, 7) },
      { ...choices, emptyName: invalid, invalidToken: plainRejection(401, 3) },
    ].map((version) => new GeneratedService(version, TOKEN));
    const file = folder.path("versions.json");
    const { url, service } = await serve(choices);
    let count = 0;
    vi.spyOn(service, "answer").mockImplementation((request) => {
      return (versions[order[count++ % order.length] ?? 0] as GeneratedService).answer(request);
    });
    const { status, stdout } = await calibrate(url, ["--write", file]);
    expect([status, existsSync(file)]).toEqual([3, false]);
    expect(stdout).toMatch(/\n {2}(newPlant|json): the answers differ: 400, error \d+.*; 400, error \d+/);
  });

  test("says what changes in the file", async () => {
    const file = folder.write("changes.json", '{"port":1,"replies":{"json":{"error":9}}}');
    const { url } = await serve(choices);
    expect((await calibrate(url, ["--write", file])).stdout).toContain(
      `\n${file} was written. Changed in it: port, replies, auth, `,
    );
    expect((await calibrate(url, ["--config", file, "--write", file])).stdout).toContain(
      `\n${file} was written. Changed in it: nothing.\n`,
    );
  });

  test("keeps an auth without tokens as it is", async () => {
    const config = folder.write("auth.json", '{"auth":{}}');
    const file = folder.write("auth-written.json", "");
    const { url } = await serve({ ...choices, invalidToken: "accept" });
    await calibrate(url, ["--config", config, "--write", file]);
    expect(JSON.parse(readFileSync(file, "utf8")).auth).toEqual({});
  });

  test("prints the command for the next run, quoted for a shell", async () => {
    const file = folder.path('my "mock".json');
    const { url } = await serve(peculiar);
    const { status, stdout } = await calibrate(url, ["--write", file]);
    const quoted = file.replaceAll('"', '\\"');
    const command = ["plant-store-mock calibrate", url, `--config "${quoted}"`, ...PECULIAR_FLAGS, "--yes"].join(" ");
    expect([status, stdout.split("\n").slice(-3)]).toEqual([
      0,
      ["This command exits with 0 as long as the service does the same:", `  ${command}`, ""],
    ]);
    expect((await calibrate(url, ["--config", file, ...PECULIAR_FLAGS])).status).toBe(0);
  });

  test("an error in a response of another media type keeps that", async () => {
    const problem = { status: 400, headers: { "Content-Type": "application/problem+json" } };
    const { url } = await serve({ ...choices, json: { ...problem, body: '{"error":4,"message":"no"}' } });
    const file = folder.path("problem.json");
    await calibrate(url, ["--write", file]);
    const { replies } = JSON.parse(readFileSync(file, "utf8"));
    expect(replies.json).toEqual({ error: 4 });
  });

  test("a file that cannot be written is named before the first request; one that can stays as it was", async () => {
    const { url, requests } = await serve(choices, { trouble: (count) => (count > 3 ? "reset" : undefined) });
    const file = folder.path("no/such/folder.json");
    expect(await calibrate(url, ["--write", file])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(`--write ${file}: cannot be written: ENOENT`),
    });
    expect(requests).toBe(0);
    const earlier = folder.write("earlier.json", "{}");
    expect((await calibrate(url, ["--write", earlier])).status).toBe(3);
    expect(readFileSync(earlier, "utf8")).toBe("{}");
  });
});

describe("--except", () => {
  test("a name holds for each difference there, and the report shows what the service did", async () => {
    const file = folder.path("except.json");
    await calibrate((await serve(choices)).url, ["--write", file]);
    const { url } = await serve({ ...choices, duplicateId: rejection(409, 3) });
    const { status, stdout } = await calibrate(url, ["--config", file, "--except", "duplicateId"]);
    expect([status, stdout]).toEqual([
      0,
      expect.stringContaining(`They differ as --except says:
  duplicateId, if a request has a plant whose id exists
    service: 409, error 3, WWW-Authenticate
`),
    ]);
  });

  test.each(["emptyName=422-error-7", "emptyName"])(
    "%s is an error if the service no longer does that",
    async (name) => {
      const url = await serveMock(() => false);
      const { status, stdout } = await calibrate(url, [...withTokens(), "--except", name]);
      expect([status, stdout]).toEqual([
        1,
        expect.stringContaining(`\nNo longer so; leave it out:\n  --except ${name}\n`),
      ]);
    },
  );

  test("a name holds for a request that the service never answers", async () => {
    const url = await serveMock(({ headers, socket }) => headers["content-length"] === "0" && socket.destroy());
    expect((await calibrate(url, withTokens())).status).toBe(3);
    expect((await calibrate(url, [...withTokens(), "--except", "emptyBody"])).status).toBe(0);
  });
});

test("a mock on a port does what its configuration says; its plants are marked", async () => {
  const options = { duplicateIds: "reject", unknownFields: "reject", replies: { json: { error: 17 } } } as const;
  const store = await startMockPlantStore({ ...options, auth: { tokens: [TOKEN] } });
  onTestFinished(() => store.close());
  const config = folder.write("agrees.json", JSON.stringify({ ...options, auth: { tokens: ["another"] } }));
  const { status, stdout } = await calibrate(store.url, ["--config", config]);
  expect([status, stdout]).toEqual([0, expect.not.stringContaining("differ")]);
  const marks = [...store.plants].map(({ name, tag }) => (name === "plant-store-mock calibrate" ? name : tag));
  expect(new Set(marks)).toEqual(new Set(["plant-store-mock calibrate"]));
  expect(store.requests.count).toBe(41);
  for (const { headers } of store.requests) {
    expect(headers).toMatchObject({ "accept-encoding": "identity", connection: "close" });
  }
});

describe("nothing is found out, after at most two requests, if the response to a valid plant is", () => {
  const json = { "Content-Type": "application/json" };
  const elsewhere = "; this is not a plant store, or the URL lacks its base path";
  test.each<[string, RequestListener, string]>([
    [
      "a page",
      (_, response) => response.writeHead(200, { "Content-Type": "text/html" }).end("<p>Hello</p>"),
      `the response to a valid plant is 200, text/html, no JSON${elsewhere}`,
    ],
    ...[
      ["", "no JSON"],
      ['{"name":7}', "name invalid"],
      ['{"status":"maintenance"}', "name missing"],
      ['["Aloe"]', "body invalid"],
      ['{"name":"MaintenanceError"}', "another name than the one sent"],
    ].map(([body, oddity]): [string, RequestListener, string] => [
      `the body ${body}`,
      (_, response) => response.writeHead(200, json).end(body),
      `the response to a valid plant is 200, application/json, ${oddity}${elsewhere}`,
    ]),
    [
      "a 404",
      (_, response) => response.writeHead(404).end(),
      `the response to a valid plant is 404, no media type${elsewhere}`,
    ],
    [
      "a redirect",
      (_, response) => response.writeHead(307, { Location: "http://localhost:1/" }).end(),
      `the response to a valid plant is 307, no media type, a redirect to http://localhost:1/; use the URL there\n`,
    ],
    [
      "a redirect that leads nowhere",
      (_, response) => response.writeHead(301).end(),
      `the response to a valid plant is 301, no media type${elsewhere}`,
    ],
    ["a 500", (_, response) => response.writeHead(500).end(), "the response to a valid plant is 500, no media type\n"],
    [
      "a rejection",
      (_, response) => response.writeHead(422, json).end('{"error":3,"message":""}'),
      "the response to a valid plant is 422, error 3\n",
    ],
    [
      "a refusal of the token",
      (_, response) => response.writeHead(403, json).end('{"error":3,"message":""}'),
      "the response to a valid plant is 403, error 3; the service does not accept the token",
    ],
    ["missing", (request) => request.socket.destroy(), "no response: other side closed"],
  ])("%s", async (_, listener, problem) => {
    const onRequest = vi.fn(listener);
    const url = await listen(onRequest);
    const { status, stdout, stderr } = await calibrate(url);
    expect([status, stderr]).toEqual([
      3,
      expect.stringContaining(`plant-store-mock calibrate: POST ${url}/plants: ${problem}`),
    ]);
    const requests = problem.startsWith("no response") ? 1 : 2;
    expect(stdout).toContain(`\n${requests} requests were sent. `);
    expect(onRequest).toHaveBeenCalledTimes(requests);
  });
});

test("a service that accepts a tag, and does not return it, differs in that", async () => {
  const { url, service } = await serve(choices);
  const answer = service.answer.bind(service);
  vi.spyOn(service, "answer").mockImplementation((request) => {
    const { body, ...rest } = answer(request);
    return { ...rest, body: body.replace(',"tag":"calibrate"', "") };
  });
  expect((await calibrate(url)).stdout).toContain("  service: 200, application/json, another tag than the one sent\n");
});

describe("a service that changes is asked nothing else", () => {
  test.each<[string, Trouble, string]>([
    [
      "its token ends",
      (count) => (count > 4 ? plainRejection(401, 9) : undefined),
      "the service has changed after createdWithTag: the response to a valid plant was 200, application/json; now it is 401, error 9",
    ],
    [
      "it dies",
      (count) => (count > 4 ? "reset" : undefined),
      "the service has changed after createdWithTag: the response to a valid plant was 200, application/json; now it is no response: other side closed",
    ],
    ["it never was there", () => "reset", "POST URL/plants: no response: other side closed"],
    [
      "it wants a long pause",
      (count) => (count > 4 ? { status: 429, headers: { "Retry-After": "61" }, body: "" } : undefined),
      "the service wants a pause of 61 s",
    ],
  ])("%s", async (_, trouble, problem) => {
    const served = await serve(choices, { trouble });
    const { status, stdout, stderr } = await calibrate(served.url);
    expect([status, stderr]).toEqual([3, `plant-store-mock calibrate: ${problem.replace("URL", served.url)}\n`]);
    expect(stdout).toMatch(new RegExp(`\\n${served.requests} requests were sent\\. \\d+ plants may exist now\\.\\n$`));
    expect(served.requests).toBeLessThan(20);
  });
});

test("a service that answers no invalid request is asked the rest", async () => {
  const { baseUrl, token, fetch } = createMockPlantStore();
  const send: typeof fetch = async (url, init) => {
    const response = await fetch(url, init);
    if (response.status >= 400) throw new Error("silence");
    return response;
  };
  const { findings, open } = await survey(new Interview({ baseUrl, token, fetch: send }, {}));
  expect(findings.map(({ name }) => name)).toEqual(expect.arrayContaining(["created", "unknownFields", "duplicateId"]));
  expect([...new Set(open.values())]).toEqual(["no response: silence"]);
  expect(findings.length + open.size).toBe(19);
});

describe("a service with a limit", () => {
  /** Asks a service that refuses the second request, and returns how long that made it wait. */
  async function askBusy(status: number, headers: Record<string, string>) {
    const { baseUrl, token, fetch } = createMockPlantStore();
    const wait = vi.fn(async (_ms: number) => {});
    let count = 0;
    const send: typeof fetch = async (url, init = {}) => {
      return ++count === 2 ? new Response(null, { status, headers }) : fetch(url, init);
    };
    const interview = new Interview({ baseUrl, token, fetch: send }, {}, undefined, wait);
    const { open, findings } = await survey(interview);
    return { requests: interview.counts.requests, open, findings: findings.length, waitedMs: wait.mock.calls.flat() };
  }

  test.each<[number, Record<string, string>, number[]]>([
    [429, { "Retry-After": "7" }, [7_000]],
    [503, { "Retry-After": "7" }, [7_000]],
    [429, { "Retry-After": "0" }, [0]],
    [429, {}, [1_000]],
    [429, { "Retry-After": "soon" }, [1_000]],
    [429, { "Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT" }, [0]],
  ])("is asked again after a %i with %j", async (status, headers, waitedMs) => {
    expect(await askBusy(status, headers)).toMatchObject({ requests: 41, findings: 19, waitedMs });
  });

  test("gets 80 requests", async () => {
    let count = 0;
    const url = await serveMock((_, response) => {
      return ++count % 4 > 0 && response.writeHead(429, { "Retry-After": "0" }).end();
    });
    const { status, stdout } = await calibrate(url, withTokens());
    expect([status, count]).toEqual([3, 80]);
    expect(stdout).toContain("\n  duplicateId: not asked, after 79 requests and 7 plants\n");
  });

  test("gets 32 plants, among them those of which nobody knows whether they exist", async () => {
    const failing = Object.fromEntries(Object.keys(choices).map((name) => [name, rejection(500, 1)]));
    const { url } = await serve({ ...choices, ...failing, created: choices.created });
    const { status, stdout } = await calibrate(url);
    expect(status).toBe(3);
    expect(stdout).toContain(" requests were sent. 32 plants may exist now.\n");
    expect(stdout).toMatch(/\n {2}duplicateId: not asked, after \d+ requests and 31 plants\n/);
  });
});

test("an endless body is not read to its end", async () => {
  const { baseUrl, token, fetch } = createMockPlantStore();
  const send: typeof fetch = (url, init) => {
    const pull = (controller: ReadableStreamDefaultController) => controller.enqueue(new Uint8Array(65_536).fill(120));
    const body = new ReadableStream({ pull });
    return init?.method === "GET" ? Promise.resolve(new Response(body, { status: 405 })) : fetch(`${url}`, init);
  };
  const { findings } = await survey(new Interview({ baseUrl, token, fetch: send }, {}));
  expect(findings.find(({ name }) => name === "methodNotAllowed")?.reply).toMatchObject({ status: 405 });
});

describe("the command", () => {
  test.each([
    ["y", 1],
    ["yes", 1],
    ["", 0],
    ["n", 0],
  ])('asks before it creates plants: "%s"', async (answer, requests) => {
    const onRequest = vi.fn<RequestListener>((request) => request.socket.destroy());
    const question = vi.fn(async () => answer);
    const host = { ...createHost(false, { PLANT_STORE_TOKEN: TOKEN }), question };
    expect(await run(["calibrate", await listen(onRequest)], host)).toBe(3);
    expect(question).toHaveBeenCalledExactlyOnceWith("Continue? [y/N] ");
    expect(onRequest).toHaveBeenCalledTimes(requests);
  });

  test.each([
    [[], "the URL is missing; write plant-store-mock calibrate URL"],
    [["sandbox.test", "--token", "t"], "the URL must be an http or https URL, such as https://plants.example"],
    [["http://sandbox.test", "--token", "t"], "the URL must be https, because http shows the token; or set PLANT"],
    [[URL], "the token is missing; set --token or PLANT_STORE_TOKEN"],
    [[URL, "--token", "two words"], '--token: must be visible ASCII characters without spaces; character 4 is " "'],
    [[URL, "--token", "t"], "there is no terminal to ask on; set --yes to agree"],
    [[URL, "--token", "t", "--config", "none.json"], "none.json: cannot be read: ENOENT"],
    [
      [URL, "--token", "t", "--except", "nullTags=200"],
      '--except: unknown difference "nullTags"; known differences: created, ',
    ],
  ])("%j is refused", async (flags, problem) => {
    const host = createHost();
    const status = await run(["calibrate", ...flags], host);
    const { stderr } = host.text;
    expect([status, stderr]).toEqual([2, expect.stringContaining(`plant-store-mock calibrate: ${problem}`)]);
    expect(stderr).toContain("\nRun plant-store-mock calibrate --help for all flags.\n");
  });

  test("reads the token from standard input, so that lists of processes do not show it", async () => {
    vi.spyOn(process, "stdin", "get").mockReturnValue(Readable.from([`${TOKEN}\n`]) as typeof process.stdin);
    expect(await calibrate(await serveMock(() => false), [...withTokens(), "--token", "-"])).toMatchObject({
      status: 0,
    });
  });

  test("a file that is no configuration is not written over", async () => {
    const file = folder.write("package.json", '{"name":"app"}');
    const { status, stderr } = await calibrate(URL, ["--write", file]);
    expect([status, stderr]).toEqual([2, expect.stringContaining('package.json: unknown key "name"')]);
  });

  test("a configuration that is not that of a mock is refused", async () => {
    const config = folder.write("wrong.json", '{"duplicateIds":"maybe"}');
    expect(await calibrate(URL, ["--config", config])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(`wrong.json: duplicateIds: ${mustBe.acceptOrReject} "maybe"`),
    });
  });

  test("plain http is permitted by the variable of the client", async () => {
    const host = createHost(false, { PLANT_STORE_ALLOW_INSECURE: "1" });
    const { status, stderr } = await calibrate("http://plants.invalid/v2", [], host);
    expect([status, stderr]).toEqual([3, expect.stringContaining("/v2/plants: no response: getaddrinfo ")]);
  });

  test("https reaches a service with TLS only", async () => {
    const url = await listen((_, response) => response.end());
    const { status, stderr } = await calibrate(url.replace("http:", "https:"));
    expect([status, stderr]).toEqual([3, expect.stringMatching(/plants: no response: /)]);
  });

  test("ends at a signal, and says what was sent", async () => {
    const host = createHost();
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const ended = calibrate(await listen(() => asked()), [], host);
    await isAsked;
    host.signal(15);
    const { status, stdout } = await ended;
    expect([status, stdout]).toEqual([
      143,
      expect.stringMatching(/\n1 requests were sent\. 1 plants may exist now\.\n$/),
    ]);
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
