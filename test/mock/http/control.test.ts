import { request } from "node:http";
import { startMockPlantStore } from "plant-store-client/mock/http";
import { describe, expect, it, vi } from "vitest";
import { ABOVE_INT64, INT64_MAX, INT64_MIN } from "../../int64-values.ts";
import { mustBe } from "../../rules-in-words.ts";
import { exchange, parseReply } from "./raw.ts";
import { sharedMock } from "./shared-mock.ts";

const mock = await sharedMock();

interface ServiceReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** A call with exactly these headers: fetch does not let a test set Host. */
function call(
  method: string,
  path: string,
  body = "",
  headers: Record<string, string> = {},
  url = mock.url,
): Promise<ServiceReply> {
  return new Promise((resolve, reject) => {
    request(`${url}/_mock${path}`, { method, headers }, async (response) => {
      let text = "";
      for await (const chunk of response.setEncoding("utf8")) text += chunk;
      resolve({ status: response.statusCode as number, headers: response.headers, text });
    })
      .on("error", reject)
      .end(body);
  });
}

const ID = `${INT64_MAX}`;

describe("the control API", () => {
  it("answers HEAD as GET, without a body", async () => {
    const { status, text } = await call("HEAD", "/health");
    expect([status, text]).toEqual([200, ""]);
  });

  it("says that it serves, and for which address", async () => {
    const { status, headers, text } = await call("GET", "/health");
    expect([status, JSON.parse(text)]).toEqual([
      200,
      { status: "ok", baseUrl: mock.baseUrl, version: "4.1.0", instance: expect.stringMatching(/^[\da-f-]{36}$/) },
    ]);
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
    });
  });

  it.each([
    ["Host: plants:4010", "http://plants:4010/v1"],
    ["Host: Plants.test:80", "http://plants.test/v1"],
    ["Host: [::1]:8080", "http://[::1]:8080/v1"],
    ["Host: a@plants.test", undefined],
    ["Host: plants:99999", undefined],
    ["X-Host: plants", undefined],
  ])("gives the base URL as its caller reaches it, by %s", async (header, expected) => {
    await using prefixed = await startMockPlantStore({ basePath: "/v1" });
    const { text } = await exchange(prefixed.url, `GET /_mock/health HTTP/1.0\r\n${header}\r\n\r\n`);
    expect(JSON.parse(parseReply(text).body).baseUrl).toBe(expected ?? prefixed.baseUrl);
  });

  it("gives and takes plants with ids as bare integers, digit for digit", async () => {
    expect(await call("POST", "/plants", `{"id":${ID},"name":"Ficus"}`)).toMatchObject({ status: 204, text: "" });
    expect((await call("GET", "/plants")).text).toBe(`{"size":1,"plants":[{"id":${ID},"name":"Ficus"}]}`);
    expect((await call("GET", `/plants/${ID}`)).text).toBe(`{"id":${ID},"name":"Ficus"}`);
    expect(mock.plants.get(BigInt(ID))).toEqual({ id: BigInt(ID), name: "Ficus" });
    expect((await call("GET", "/plants/2")).status).toBe(404);
    await call("POST", "/plants", `{"id":${INT64_MIN},"name":"Ficus"}`);
    expect((await call("GET", `/plants/${INT64_MIN}`)).text).toBe(`{"id":${INT64_MIN},"name":"Ficus"}`);
  });

  it("pages lists: a hundred by default, the oldest first", async () => {
    for (let id = 0; id < 250; id++) mock.plants.add({ id, name: "a" });
    const ids = async (query: string) => {
      const { size, plants } = JSON.parse((await call("GET", `/plants${query}`)).text);
      expect(size).toBe(250);
      return plants.map(({ id }: { id: number }) => id);
    };
    expect(await ids("")).toEqual(Array.from({ length: 100 }, (_, i) => i));
    expect(await ids("?after=100&limit=3")).toEqual([100, 101, 102]);
    expect(await ids("?after=249")).toEqual([249]);
    expect(await ids("?after=250")).toEqual([]);
    expect(await ids("?last=2")).toEqual([248, 249]);
    expect(await ids("?limit=0")).toEqual([]);
    for (const all of ["?limit=1000", "?last=1000"]) expect(await ids(all)).toHaveLength(250);
  });

  it("opens sessions, and disposes each once, but never the root", async () => {
    const session = JSON.parse((await call("POST", "/sessions", '{"tokens":["t-1","t-2"]}')).text);
    const name = expect.stringMatching(/^session-[\da-f]{16}$/);
    expect(session).toEqual({ session: name, baseUrl: mock.baseUrl, token: "t-1" });
    expect(JSON.parse((await call("GET", `/token?session=${session.session}`)).text)).toEqual({ token: "t-1" });
    expect((await call("DELETE", `/sessions/${session.session}`)).status).toBe(204);
    expect((await call("DELETE", `/sessions/${session.session}`)).status).toBe(404);
    expect((await call("POST", "/sessions")).status).toBe(201);
    const { status, text } = await call("DELETE", "/sessions/root");
    expect([status, JSON.parse(text).message]).toEqual([
      400,
      "session: the root cannot be disposed; use POST /_mock/reset",
    ]);
  });

  it.each([
    ["GET", "/nothing", "", 404, "/_mock/nothing: unknown path of the control API"],
    ["GET", "/plants/1/2", "", 404, "unknown path of the control API"],
    ["PUT", "/requests", "", 405, "PUT /_mock/requests: must be GET, DELETE"],
    ["GET", "/plants?after=1&last=1", "", 400, "last: cannot be combined with `after` or `limit`; use either"],
    ["GET", "/plants?session=nobody", "", 404, 'unknown session "nobody"; GET /_mock/state lists the open ones'],
    ["GET", "/plants?after=-1", "", 400, 'after: must be an integer from 0 to 999999999; received "-1"'],
    ["GET", "/plants/x", "", 400, 'id: must be an int64 in decimal digits; received "x"'],
    ["GET", `/plants/${ABOVE_INT64}`, "", 400, `id: ${mustBe.storedId} ${ABOVE_INT64}`],
    ["GET", "/plants/-7", "", 404, "id: this session has no plant -7"],
    ["GET", "/gates/gate-0/arrived", "", 404, 'unknown gate "gate-0"; one is known until its release or a reset'],
    ["POST", "/plants", "{", 400, "body: must be JSON; its syntax is invalid"],
    ["POST", "/faults", "[]", 400, "body: must be a JSON object"],
    ["POST", "/faults", "{}", 400, "fault.type: must be one of apiError, "],
    ["POST", "/faults", '{"fault":{"type":"hang"},"times":1e400}', 400, 'times: must be an integer, or "unlimited"'],
    ["POST", "/faults", '{"fault":{"type":"hang"},"when":{"color":"red"}}', 400, 'unknown field "when.color"'],
    ["GET", "/plants?sesion=a", "", 400, 'unknown parameter "sesion"; known parameters: session, after, limit, last'],
    ["GET", "/plants?last=1&last=2", "", 400, "last: must be given only once"],
    ["POST", "/labels", "{}", 400, "token: must be a string"],
    ["POST", "/reset", `{"${"x".repeat(41)}":1}`, 400, `unknown key "${"x".repeat(40)}…"; known keys: none`],
    ["POST", "/plants", " ".repeat(2 ** 20), 400, "body: must be JSON"],
    ["POST", "/plants", " ".repeat(2 ** 20 + 1), 413, "body: must be at most 1048576 bytes"],
  ])("answers %s %s with %j clearly", async (method, path, body, status, message) => {
    const answer = await call(method, path, body);
    expect(answer.status).toBe(status);
    const error = message.startsWith("unknown session") ? 40_401 : status * 100;
    expect(JSON.parse(answer.text)).toEqual({ error, message: expect.stringContaining(message) });
    if (status === 405) expect(answer.headers.allow).toBe("GET, DELETE");
  });
});

it("a body that is not UTF-8 is refused", async () => {
  const reply = await fetch(`${mock.url}/_mock/plants`, { method: "POST", body: Uint8Array.of(0xff) });
  expect([reply.status, (await reply.json()).message]).toEqual([400, "body: must be valid UTF-8"]);
});

describe("a mistake of the mock itself", () => {
  it.each([RangeError, TypeError])("is reported as 500, not as invalid input or a conflict: %o", async (Mistake) => {
    await using own = await startMockPlantStore();
    vi.spyOn(own, "reset").mockImplementation(() => {
      throw new Mistake("its message");
    });
    const reply = await fetch(`${own.url}/_mock/reset`, { method: "POST" });
    expect([reply.status, await reply.json()]).toEqual([
      500,
      { error: 50000, message: "internal error of the mock: its message; please report it" },
    ]);
  });
});

describe("who may control the mock", () => {
  const port = () => new URL(mock.url).port;

  it.each(["LOCALHOST", "localhost.", "mock.localhost", "127.10.0.255", "[::1]"])(
    "a call for the host %s",
    async (host) => {
      expect((await call("GET", "/plants", "", { Host: `${host}:${port()}` })).status).toBe(200);
    },
  );

  it.each([
    "evil.test:4010",
    "localhost.evil.test",
    "evil-localhost",
    "127.0.0.1.evil.test",
    "evil.127.0.0.1",
    "0.0.0.0",
    "192.168.1.7:4010",
  ])("not a call for the host %j, which gets health and the page alone", async (host) => {
    const { status, text } = await call("GET", "/plants", "", { Host: host, Origin: `http://${host}` });
    expect([status, JSON.parse(text).message]).toEqual([
      403,
      `Host: must be localhost or a loopback address; received ${JSON.stringify(host)}; ` +
        "call it under such a name, or start it with --control-token",
    ]);
    for (const path of ["/health", "/", "/console.js", "/console.css"]) {
      const open = await call("GET", path, "", { Host: host, Origin: "http://evil.test" });
      expect([path, open.status, open.text.includes(mock.token)]).toEqual([path, 200, false]);
    }
  });

  it("not a call that names no host", async () => {
    const { text } = await exchange(mock.url, "GET /_mock/plants HTTP/1.0\r\n\r\n");
    const { status, body } = parseReply(text);
    expect([status, JSON.parse(body).message]).toEqual([403, expect.stringContaining('; received ""; call it under')]);
  });

  it("a page of its own", async () => {
    expect((await call("POST", "/reset", "", { Origin: mock.url })).status).toBe(204);
    const headers = { Host: `localhost:${port()}`, Origin: `http://localhost:${port()}` };
    expect((await call("POST", "/reset", "", headers)).status).toBe(204);
  });

  it.each(["http://evil.test", "null", "https://127.0.0.1", "http://127.0.0.1:1", "http://localhost", ""])(
    "not a page of the origin %j",
    async (origin) => {
      mock.plants.add({ id: 1, name: "a" });
      const { status, text, headers } = await call("POST", "/reset", "", { Origin: origin });
      expect([status, JSON.parse(text).message]).toEqual([
        403,
        `Origin: must be the mock's own (http://${new URL(mock.url).host}), or absent; received ${origin}`,
      ]);
      expect(headers).not.toHaveProperty("access-control-allow-origin");
      expect(mock.plants.size).toBe(1);
    },
  );

  it.each(["cross-site", "same-site"])("not a page of a %s origin that sends no Origin", async (site) => {
    const headers = { "Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors" };
    for (const path of ["/state", "/plants", "/gates/x/arrived"]) {
      const { status, text } = await call("GET", path, "", headers);
      expect([status, JSON.parse(text).message]).toEqual([
        403,
        `Sec-Fetch-Site: must be same-origin or none; received ${site}`,
      ]);
    }
    expect((await call("GET", "/", "", headers)).status).toBe(200);
  });

  it.each([
    ["a script of its own page", { "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": "empty" }],
    ["somebody who types the address", { "Sec-Fetch-Site": "none", "Sec-Fetch-Dest": "document" }],
    ["somebody who follows a link", { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document" }],
  ])("%s", async (_who, headers) => {
    expect((await call("GET", "/plants", "", headers)).status).toBe(200);
  });

  it("with a control token, only its owner; health and the page are open", async () => {
    await using guarded = await startMockPlantStore({ controlToken: "control-secret" });
    expect((await call("GET", "/", "", {}, guarded.url)).headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "referrer-policy": "no-referrer",
    });
    for (const headers of [{}, { Authorization: "Bearer wrong" }, { Authorization: "control-secret" }]) {
      const { status, text } = await call("GET", "/plants", "", headers as Record<string, string>, guarded.url);
      expect([status, JSON.parse(text).message]).toEqual([
        401,
        "Authorization: must be `Bearer <control token>`; use the token that the mock was started with",
      ]);
    }
    const headers = { Authorization: "Bearer control-secret" };
    expect((await call("GET", "/plants", "", headers, guarded.url)).status).toBe(200);
    // As behind a proxy that ends TLS.
    const proxied = { Host: "mock.test", Origin: "https://mock.test", "Sec-Fetch-Site": "cross-site" };
    const ofOwner = { ...proxied, Authorization: "bearer control-secret" };
    expect((await call("GET", "/plants", "", ofOwner, guarded.url)).status).toBe(200);
    expect((await call("GET", "/plants", "", { ...proxied, Authorization: "Bearer guess" }, guarded.url)).status).toBe(
      401,
    );
    expect((await call("GET", "/health", "", {}, guarded.url)).status).toBe(200);
  });
});

describe("the page", () => {
  it("may only load its own script and style sheet, and call its own origin", async () => {
    const { headers, text } = await call("GET", "/");
    expect(text).toMatch(/^<!doctype html>/);
    expect(text).not.toMatch(/(src|href)="(https?:)?\/\//);
    expect(headers["content-security-policy"]).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
  });

  it.each([
    ["/console.css", "text/css; charset=utf-8"],
    ["/console.js", "text/javascript; charset=utf-8"],
  ])("has %s, as %s, by a relative link, which works behind a prefix", async (path, type) => {
    expect((await call("GET", "/")).text).toContain(`="${path.slice(1)}"`);
    const { status, headers } = await call("GET", path);
    expect([status, headers["content-type"], headers["x-content-type-options"]]).toEqual([200, type, "nosniff"]);
  });

  it("is the target of a redirect from /_mock", async () => {
    for (const path of ["", "?x=1"]) {
      expect(await call("GET", path)).toMatchObject({ status: 308, headers: { location: "_mock/" }, text: "" });
    }
  });
});
