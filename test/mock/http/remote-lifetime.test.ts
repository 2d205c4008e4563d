import { execFile } from "node:child_process";
import type { RequestListener } from "node:http";
import { promisify } from "node:util";
import { faults } from "plant-store-client/mock";
import { connectMockPlantStore, startMockPlantStore } from "plant-store-client/mock/http";
import { describe, expect, it, vi } from "vitest";
import { collected } from "../../collect-garbage.ts";
import { listen } from "../../listen.ts";
import { rejection } from "../post.ts";
import { post } from "./post.ts";
import { openRelay } from "./relay.ts";

const run = promisify(execFile);

const json =
  (value: unknown): RequestListener =>
  (_request, response) =>
    response.end(JSON.stringify(value));

describe("connecting", () => {
  it.each<[string, RequestListener, prefix: string, suffix: string]>([
    ["200 with HTML", (_request, response) => response.end("<!doctype html>"), "GET /_mock/health returned 200: ", ""],
    [
      "302 with a message",
      (_request, response) => response.writeHead(302).end('{"message":"moved"}'),
      "GET /_mock/health returned 302: ",
      "",
    ],
    ["200 with JSON of its own", json({ status: "ok" }), "", "; start one with plant-store-mock"],
    ["200 with null", json(null), "", "; start one with plant-store-mock"],
  ])("to a server that answers %s is an Error that says so", async (_what, answer, prefix, suffix) => {
    await using server = await listen(answer);
    const error = await connectMockPlantStore(server.url).catch((caught) => caught);
    expect(error.constructor).toBe(Error);
    expect(error.message).toBe(`${prefix}the server at ${server.url} is not a mock${suffix}`);
  });

  it.each(["2.1.0", "30.0.0"])("to a mock of version %s names both versions", async (version) => {
    await using server = await listen(json({ status: "ok", baseUrl: "http://x", version, instance: "i" }));
    await expect(connectMockPlantStore(server.url)).rejects.toThrow(
      `the mock at ${server.url} has version ${version} of the control API, this process has 4.1.0; ` +
        "install the same version of plant-store-client on both sides",
    );
  });

  it("to a server that never responds ends after timeoutMs", async () => {
    await using server = await listen(() => {});
    await expect(connectMockPlantStore(server.url, { timeoutMs: 50 })).rejects.toThrow(
      `the mock at ${server.url} cannot be reached: no response within 50 ms; start it with plant-store-mock`,
    );
  });

  it("to a silent server ends after five seconds by default", async () => {
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(AbortSignal.abort());
    await using server = await listen(() => {});
    await expect(connectMockPlantStore(server.url)).rejects.toThrow("no response within 5000 ms");
    timeout.mockRestore();
  });

  it("to a server that switches to another protocol fails at once", async () => {
    const head = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n";
    await using server = await listen(({ socket }) => socket.write(head));
    await expect(connectMockPlantStore(server.url)).rejects.toThrow(
      "cannot be reached: the connection was closed without a response; start it with plant-store-mock",
    );
  });

  it.each([
    [{ timeoutMs: 0 }, "timeoutMs: must be an integer from 1"],
    [{ timeout: 50 } as never, 'unknown option "timeout"; known options: controlToken, timeoutMs'],
    [{ controlToken: "two words" }, "controlToken: must be visible ASCII characters"],
  ])("with %j is refused", async (options, message) => {
    await expect(connectMockPlantStore("http://127.0.0.1:1", options)).rejects.toThrow(message);
  });
});

describe("a connection to a mock", () => {
  it("that was restarted changes nothing in the new one", async () => {
    const first = await startMockPlantStore();
    await using relay = await openRelay(first);
    const remote = await connectMockPlantStore(relay.url);
    const session = await remote.session();
    await first.close();
    await using second = await startMockPlantStore();
    relay.leadTo(second);
    await remote.plants.size.catch(() => {}); // The connection of the first one may not have closed yet.
    const message = "the mock has been restarted since this connection was made; connect again";
    await expect(remote.plants.add({ id: 1, name: "a" })).rejects.toThrow(message);
    await expect(session.plants.add({ id: 1, name: "a" })).rejects.toThrow(message);
    await expect(remote.plants.get(1)).rejects.toThrow(message);
    await remote.close();
    expect(second.plants.size).toBe(0);
  });

  it("whose port another server uses by now accepts no answer of it", async () => {
    const mock = await startMockPlantStore();
    await using relay = await openRelay(mock);
    const remote = await connectMockPlantStore(relay.url);
    const session = await remote.session();
    const gate = await session.hold();
    await mock.close();
    await using server = await listen(({ method }, response) =>
      method === "DELETE" ? response.writeHead(404).end('{"message":"no"}') : response.writeHead(204).end(),
    );
    relay.leadTo(server);
    await remote.plants.size.catch(() => {}); // The connection of the first one may not have closed yet.
    const message = (status: number) => `returned ${status}: the server at ${relay.url} is not a mock`;
    await expect(remote.verify()).rejects.toThrow(`GET /_mock/verify?session=root ${message(204)}`);
    await expect(session.plants.add({ id: 1, name: "a" })).rejects.toThrow(message(204));
    await expect(gate.arrived(1)).rejects.toThrow(message(204));
    await expect(gate.release()).rejects.toThrow(message(404));
    await expect(remote.close()).rejects.toThrow(message(404));
  });

  it("whose session was disposed elsewhere reports that, and `close` disposes the others", async () => {
    await using mock = await startMockPlantStore();
    const remote = await connectMockPlantStore(mock.url);
    const sessions = [await remote.session(), await remote.session({ tokens: ["second"] })] as const;
    const { sessions: listed } = await (await fetch(`${mock.url}/_mock/state`)).json();
    await fetch(`${mock.url}/_mock/sessions/${listed[1]}`, { method: "DELETE" });
    await expect(sessions[0].plants.get(1)).rejects.toThrow("unknown session ");
    await remote.close();
    expect((await (await fetch(`${mock.url}/_mock/state`)).json()).sessions).toHaveLength(1);
  });

  it("releases a gate twice, or after a reset, without an error", async () => {
    await using mock = await startMockPlantStore();
    await using remote = await connectMockPlantStore(mock.url);
    const gates = [await remote.hold(), await remote.hold()] as const;
    await gates[0].release();
    await gates[0].release();
    await remote.reset();
    await gates[1].release();
    await expect(gates[1].arrived(1)).rejects.toThrow(
      /^unknown gate "gate-.+"; one is known until its release or a reset$/,
    );
  });

  it("reports a session that the mock failed to dispose", async () => {
    const mock = await startMockPlantStore();
    await using relay = await openRelay(mock);
    const remote = await connectMockPlantStore(relay.url);
    const session = await remote.session();
    await mock.close();
    await using failing = await listen((_request, response) =>
      response.writeHead(500, { "Plant-Store-Mock-Instance": "i" }).end('{"error":50000,"message":"internal error"}'),
    );
    relay.leadTo(failing);
    await remote.plants.size.catch(() => {}); // The connection of the mock may not have closed yet.
    await expect(session.close()).rejects.toThrow("internal error");
  });

  it("forgets each session that was disposed", async () => {
    await using mock = await startMockPlantStore();
    await using remote = await connectMockPlantStore(mock.url);
    const dispose = async () => {
      const session = await remote.session();
      await session[Symbol.asyncDispose]();
      return new WeakRef(session);
    };
    await collected(await dispose());
  });

  it("that is closed says so to calls under way, and to later ones", async () => {
    await using mock = await startMockPlantStore();
    const remote = await connectMockPlantStore(mock.url);
    const gate = await remote.hold();
    const arrival = gate.arrived(1).catch((error) => error);
    await remote.close();
    const message = `the connection to the mock at ${mock.url} was closed by close(); connect again`;
    expect(await arrival).toMatchObject({ message, cause: expect.any(Error) });
    await expect(remote.plants.size).rejects.toThrow(message);
  });

  it("that has ended reports that on close, unless every session was disposed before", async () => {
    const mock = await startMockPlantStore();
    const [remote, tidy] = [await connectMockPlantStore(mock.url), await connectMockPlantStore(mock.url)];
    await remote.session();
    await (await tidy.session())[Symbol.asyncDispose]();
    await mock.close();
    await expect(remote.close()).rejects.toThrow("cannot be reached");
    await tidy.close();
  });

  it("keeps the process running until the requests of another process have arrived", async () => {
    await using mock = await startMockPlantStore();
    const script = `
      import { connectMockPlantStore } from ${JSON.stringify(new URL("../../../mock/http.ts", import.meta.url))};
      const remote = await connectMockPlantStore(${JSON.stringify(mock.url)});
      const gate = await remote.hold();
      const size = remote.plants.size;
      gate.arrived(1).then(() => console.log("arrived"));
      console.log(await size);`;
    const ended = run(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", script]);
    // The child has nothing left to do but wait.
    const { stdout } = ended.child;
    await new Promise((resolve) => stdout?.once("data", resolve));
    const failed = rejection(post(mock.baseUrl, '{"id":1,"name":"Fern"}'));
    expect((await ended).stdout).toBe("0\narrived\n");
    mock.reset();
    await failed;
  });

  it("reports no unhandled rejection for a wait that nothing awaits", async () => {
    await using mock = await startMockPlantStore();
    const script = `
      import { connectMockPlantStore } from ${JSON.stringify(new URL("../../../mock/http.ts", import.meta.url))};
      const remote = await connectMockPlantStore(${JSON.stringify(mock.url)});
      const gate = await remote.hold();
      gate.arrived(1);
      await remote.close();`;
    const { stderr } = await run(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", script]);
    expect(stderr).toBe("");
  });

  it("rejects the ids, faults and options that a local mock rejects, with its messages", async () => {
    await using mock = await startMockPlantStore();
    await using remote = await connectMockPlantStore(mock.url);
    const rounded = 2 ** 53;
    const words = async (run: (store: typeof mock | typeof remote) => unknown) => {
      const messages = [mock, remote].map(async (store) => {
        const error = await Promise.resolve()
          .then(() => run(store))
          .then(
            () => undefined,
            (caught) => caught,
          );
        expect(error).toBeInstanceOf(TypeError);
        return error.message;
      });
      const [local, distant] = await Promise.all(messages);
      expect(distant).toBe(local);
    };
    await words((store) => store.plants.get(rounded));
    await words((store) => store.plants.has("1" as never));
    await words((store) => store.plants.add({ id: rounded, name: "a" }));
    const headers = new Headers({ "Retry-After": "1" }) as never;
    await words((store) => store.inject(faults.reply({ status: 503, headers })));
    await words((store) => store.inject(faults.reply({ status: 200, body: { id: 1n } })));
    await words((store) => store.inject(faults.hang(), { when: { id: rounded } }));
    await words((store) => store.inject(faults.hang(), { wehn: { id: 1 } } as never));
    await words((store) => store.session({ token: "a" } as never));
    expect(mock.plants.size).toBe(0);
  });

  it("reads lists of any length, page by page, from the oldest that is kept", async () => {
    await using mock = await startMockPlantStore({
      maxRecordedRequests: 1200,
      initialPlants: Array.from({ length: 1500 }, (_, id) => ({ id, name: "a" })),
    });
    for (let id = 1500; id < 2500; id++) mock.plants.add({ id, name: "a" });
    await using remote = await connectMockPlantStore(mock.url);
    for (let i = 0; i < 1500; i++) await mock.handle(new Request(`${mock.baseUrl}/plants?${i}`));
    const ids = [];
    for await (const { id } of remote.plants) ids.push(id);
    expect(ids).toEqual(Array.from({ length: 2500 }, (_, id) => id));
    const paths = [];
    for await (const { path } of remote.requests) paths.push(path);
    expect(paths).toEqual(Array.from({ length: 1200 }, (_, i) => `/plants?${300 + i}`));
  });
});
