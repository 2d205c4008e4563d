import { truncateSync } from "node:fs";
import { relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { readFlags } from "../../../mock/cli/flags.ts";
import { readSettings } from "../../../mock/cli/read-settings.ts";
import { run } from "../../../mock/cli/run.ts";
import { mustBe } from "../../rules-in-words.ts";
import { useFolder } from "../../use-folder.ts";
import { post } from "./post.ts";
import { createHost, refused, start } from "./process-host.ts";
import { PLANT } from "./raw.ts";

const { write: file } = useFolder();

describe("settings", () => {
  /** The command without a log, in an environment. */
  const startIn = (environment: NodeJS.ProcessEnv, argv: readonly string[] = []) =>
    start(["--log", "silent", ...argv], createHost(false, environment));

  it("come from the environment, several tokens with commas", async () => {
    const { baseUrl, end } = await startIn({
      PLANT_STORE_MOCK_PORT: "0",
      PLANT_STORE_MOCK_TOKEN: "token-a,token-b",
      PLANT_STORE_MOCK_CONTROL_TOKEN: "",
      PLANT_STORE_MOCK_SERVICE_HOST: "10.0.0.7",
      PLANT_STORE_MOCK_PORT_4010_TCP: "tcp://10.0.0.7:4010",
      PLANT_STORE_MOCK_BASE_PATH: "/only-a-flag",
    });
    expect((await post(baseUrl, PLANT, "token-b")).status).toBe(200);
    expect((await post(baseUrl, PLANT, "token-c")).status).toBe(401);
    expect(await end()).toBe(0);
  });

  it("come from a file of any options; the environment overrides it, and flags override both", async () => {
    const path = file(
      "config.json",
      '{"port":0,"host":"localhost","basePath":"/file","duplicateIds":"reject","replies":{"missingToken":{"status":418}},"initialPlants":[{"id":9223372036854775807,"name":"a"}],"log":"json"}',
    );
    const { url, baseUrl, end } = await startIn(
      {
        PLANT_STORE_MOCK_CONFIG: path,
        PLANT_STORE_MOCK_HOST: "127.0.0.1",
        PLANT_STORE_MOCK_TOKEN: "of-the-environment",
      },
      ["--base-path", "/flag", "--token", "secret-token"],
    );
    expect(new URL(url).hostname).toBe("127.0.0.1");
    expect(baseUrl).toBe(`${url}/flag`);
    expect((await post(baseUrl, '{"id":9223372036854775807,"name":"b"}', "secret-token")).status).toBe(400);
    expect((await post(baseUrl, PLANT, "of-the-environment")).status).toBe(401);
    expect((await fetch(`${baseUrl}/plants`, { method: "POST" })).status).toBe(418);
    expect(await end()).toBe(0);
  });

  it("the path of initial plants in a file starts at the folder of that file, in a flag at the working directory", async () => {
    file("initial.ndjson", '{"id":7,"name":"a"}');
    const path = relative(process.cwd(), file("with-plants.json", '{"port":0,"initialPlants":"./initial.ndjson"}'));
    const { url, end } = await startIn({}, ["--config", path]);
    expect((await fetch(`${url}/_mock/plants/7`)).status).toBe(200);
    expect(await end()).toBe(0);
    expect(await refused("--config", path, "--initial-plants", "initial.ndjson")).toEqual([
      2,
      expect.stringContaining("--initial-plants initial.ndjson: cannot be read: ENOENT"),
    ]);
  });

  it("a token switches authorization on again if the file switches it off", async () => {
    const path = file("open.json", '{"port":0,"auth":false}');
    const { baseUrl, end } = await startIn({}, ["--config", path, "--token", "secret-token"]);
    expect((await post(baseUrl, PLANT, "other")).status).toBe(401);
    expect(await end()).toBe(0);
  });

  it("come from a file that begins with a byte order mark, and has no key that only the command knows", async () => {
    const marked = file("marked.json", '\uFEFF{"port":0,"basePath":"/marked"}');
    const { url, baseUrl, end } = await startIn({}, ["--config", marked]);
    expect(baseUrl).toBe(`${url}/marked`);
    expect(await end()).toBe(0);
    const internal = file("internal.json", '{"auth.tokens":["a"]}');
    expect(await refused("--config", internal)).toEqual([
      2,
      expect.stringContaining('unknown key "auth.tokens"; known keys: '),
    ]);
  });

  it.each([
    ["json", `{"warning":"the control API is off, because other machines can reach this mock`],
    ["pretty", "Note: the control API is off, because other machines can reach this mock"],
    ["silent", "Note: the control API is off"],
  ])("without a control token beyond loopback turn the control API off, with a warning: %s", async (log, text) => {
    const { url, host, end } = await start(["--port", "0", "--host", "0.0.0.0", "--log", log]);
    expect(host.text.stderr).toContain(text);
    expect(JSON.parse(host.text.stdout)).not.toHaveProperty("console");
    expect((await fetch(`${url}/_mock/token`)).status).toBe(403);
    expect((await fetch(`${url}/_mock/health`)).status).toBe(200);
    expect(await end()).toBe(0);
  });

  it("--control-token switches it on", async () => {
    const argv = ["--port", "0", "--host", "0.0.0.0", "--log", "silent", "--control-token", "control-secret"];
    const { url, host, end } = await start(argv);
    const headers = { Authorization: "Bearer control-secret" };
    expect((await fetch(`${url}/_mock/token`, { headers })).status).toBe(200);
    expect([await end(), host.text.stderr]).toEqual([0, ""]);
  });

  it.each<[string | NodeJS.ProcessEnv, options: object]>([
    ["--port 4011", { port: 4011 }],
    [{ PLANT_STORE_MOCK_PORT: "4011" }, { port: 4011 }],
    ["--host ::1", { host: "::1" }],
    [{ PLANT_STORE_MOCK_HOST: "::1" }, { host: "::1" }],
    ["--token a --token b", { auth: { tokens: ["a", "b"] } }],
    [{ PLANT_STORE_MOCK_TOKEN: "a,b" }, { auth: { tokens: ["a", "b"] } }],
    ["--control-token true", { controlToken: "true" }],
    [{ PLANT_STORE_MOCK_CONTROL_TOKEN: "true" }, { controlToken: "true" }],
    ["--base-path /v1", { basePath: "/v1" }],
    ["--duplicate-ids reject", { duplicateIds: "reject" }],
    ["--cors", { cors: true }],
  ])("%j set the option %j", (given, options) => {
    const settings =
      typeof given === "string" ? readSettings(readFlags(given.split(" ")), {}) : readSettings({}, given);
    expect(settings.options).toEqual({ port: 4010, ...options });
  });

  it.each([
    ["12.25/s", { perSecond: 12.25 }],
    ["100/60s", { quota: 100, windowSeconds: 60 }],
    ["10.25/12.75s", { quota: 10.25, windowSeconds: 12.75 }],
  ])("read a rate of %s, in a file too", (text, rateLimit) => {
    const config = file("rate.json", JSON.stringify({ rateLimit: text }));
    for (const flags of [{ "rate-limit": text }, { config }]) {
      expect(readSettings(flags, {}).options.rateLimit).toEqual(rateLimit);
    }
  });

  it("leave a message that names no setting unchanged", () => {
    expect(readSettings({ host: "a" }, {}).withOrigin("hosts: are wrong")).toBe("hosts: are wrong");
  });

  it("of Kubernetes are ignored: it sets the variable of the port to an address", async () => {
    const { end } = await startIn({ PLANT_STORE_MOCK_PORT: "tcp://10.0.0.7:4010" }, [
      "--config",
      file("port.json", '{"port":0,"exitWithParent":true}'),
    ]);
    expect(await end()).toBe(0);
  });

  it.each<[NodeJS.ProcessEnv, string]>([
    [{ PLANT_STORE_MOCK_PORT: "http" }, `PLANT_STORE_MOCK_PORT: ${mustBe.integer(0, 65535)} "http"`],
    [{ PLANT_STORE_MOCK_HOST: "tcp://10.0.0.7" }, "PLANT_STORE_MOCK_HOST: must be a host name or an address"],
    [{ PLANT_STORE_MOCK_CONFIG: "no.json" }, "no.json: cannot be read: ENOENT"],
    [{ PLANT_STORE_MOCK_CONTROL_TOKEN: "two words" }, "PLANT_STORE_MOCK_CONTROL_TOKEN: must be"],
    [{ PLANT_STORE_MOCK_PORT: "0", PLANT_STORE_MOCK_TOKEN: "good,two words" }, "PLANT_STORE_MOCK_TOKEN: must be"],
  ])("%j are refused by the name of the variable", async (environment, message) => {
    const host = createHost(false, { PLANT_STORE_MOCK_PORT: "0", ...environment });
    expect([await run([], host), host.text.stderr]).toEqual([
      2,
      expect.stringContaining(`plant-store-mock: ${message}`),
    ]);
  });

  it.each<[string, string | Buffer, string | RegExp]>([
    ["in UTF-16", Buffer.from('\uFEFF{"port":0}', "utf16le"), "contains bytes that are not UTF-8; save it as UTF-8"],
    ["with control characters", '{"port":0}\u001b]0;\n\0', /^must be JSON: Unexpected [\x20-\x7e]*$/],
  ])("in a file %s are refused with a message on one line", async (_what, content, message) => {
    const path = file("strange.json", content);
    const [status, text] = await refused("--config", path);
    const [line, hint] = text.split("\n");
    expect([status, line?.replace(`plant-store-mock: ${path}: `, "")]).toEqual([
      2,
      typeof message === "string" ? expect.stringContaining(message) : expect.stringMatching(message),
    ]);
    expect(hint).toMatch(/^Run plant-store-mock --help/);
  });

  it.each([
    ["{", "must be JSON: Expected property name or '}' in JSON at position 1"],
    ['{\n  "port": x\n}', "must be JSON: Unexpected token 'x', "],
    ["[]", 'must be a JSON object, such as {"port":4010}'],
    ['{"log":"loud"}', `log: ${mustBe.log} "loud"`],
    ['{"exitWithParent":"yes"}', `exitWithParent: ${mustBe.boolean} "yes"`],
    ['{"port":0,"duplicateIds":"maybe"}', "duplicateIds"],
    ['{"port":0,"lgo":"json"}', 'unknown key "lgo"; known keys: port, host, '],
    ['{"port":0,"baseUrl":"http://a.test"}', "baseUrl: the HTTP mock derives it from host, port and basePath"],
    ['{"port":0,"auth":5}', "auth", "--token", "good"],
  ])("in a file with %s are refused by the name of the file", async (content, message, ...flags) => {
    const path = file("wrong.json", content);
    expect(await refused("--config", path, ...flags)).toEqual([
      2,
      expect.stringContaining(`plant-store-mock: ${path}: ${message}`),
    ]);
  });

  it("name a file that cannot be read once, and show no character that controls the terminal", async () => {
    expect(await refused("--config", "no\u001b[2J\u202e.json")).toEqual([
      2,
      "plant-store-mock: no\\u001b[2J\\u202e.json: cannot be read: ENOENT: no such file or directory\n" +
        "Run plant-store-mock --help for all flags.\n",
    ]);
    const [, text] = await refused("--log", "a\u001b[2J\rb");
    expect(text).toMatch(/^plant-store-mock: --log: [\x20-\x7e]+\n/);
  });

  // Windows has no such file.
  it.skipIf(process.platform === "win32")("of a file without an end are refused", async () => {
    expect(await refused("--config", "/dev/zero")).toEqual([
      2,
      expect.stringContaining("/dev/zero: cannot be read: it is a device, not a file\n"),
    ]);
  });

  it("of a very large file are refused before it is read", async () => {
    const path = file("large.json", "");
    truncateSync(path, 2 ** 28 + 1);
    expect(await refused("--config", path)).toEqual([
      2,
      expect.stringContaining(`${path}: cannot be read: it has more than 256 MiB\n`),
    ]);
  });

  it("list files and plants, in their order; a path is relative to the folder of the file", async () => {
    file("a.ndjson", '{"id":1,"name":"a"}');
    file("b.json", '[{"id":2,"name":"b"}]');
    const config = file("list.json", '{"initialPlants":["a.ndjson",{"id":9007199254740993,"name":"c"},"b.json"]}');
    expect(readSettings({ config }, {}).options.initialPlants).toEqual([
      { id: 1, name: "a" },
      { id: 9007199254740993n, name: "c" },
      { id: 2, name: "b" },
    ]);
  });

  it("in a file whose initial plants do not exist are refused by their path, on the drive of the file", async () => {
    const path = file("wrong.json", '{"initialPlants":"/none/plants.ndjson"}');
    const initialPlants = resolve(path, "/none/plants.ndjson");
    expect(await refused("--config", path)).toEqual([
      2,
      expect.stringContaining(`plant-store-mock: ${path}: initialPlants ${initialPlants}: cannot be read: ENOENT`),
    ]);
  });
});
