import { once } from "node:events";
import { Writable } from "node:stream";
import { createMockPlantStore, faults } from "plant-store-client/mock";
import { type HttpMockPlantStore, startMockPlantStore } from "plant-store-client/mock/http";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { SessionFeed } from "../../../mock/http/control/session-feed.ts";
import { openHttpAdapter } from "../../../mock/http/http-adapter.ts";
import { post } from "./post.ts";
import { RawConnection } from "./raw.ts";

let mock: HttpMockPlantStore;
beforeAll(async () => {
  mock = await startMockPlantStore();
});
afterEach(() => mock.reset());
afterAll(() => mock.close());

const PLANT = '{"id":1,"name":"Monstera"}';

// biome-ignore lint/suspicious/noExplicitAny: a line of the stream, which each test checks.
type Line = any;

const openSession = async () => (await fetch(`${mock.url}/_mock/sessions`, { method: "POST" })).json();
const endSession = (name: string) => fetch(`${mock.url}/_mock/sessions/${name}`, { method: "DELETE" });

/** Collects lines, and claims that so many bytes are unread. */
class SlowReader extends Writable {
  readonly lines: string[] = [];
  set unread(length: number) {
    Object.defineProperty(this, "writableLength", { value: length, configurable: true });
  }
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.lines.push(`${chunk}`);
    done();
  }
}

describe("the stream of a session", () => {
  /** Collects the lines of a stream. */
  async function follow(query = "") {
    const controller = new AbortController();
    const response = await fetch(`${mock.url}/_mock/events${query}`, { signal: controller.signal });
    const lines: Line[] = [];
    const done = (async () => {
      let rest = "";
      const decoder = new TextDecoder();
      for await (const chunk of response.body as ReadableStream<Uint8Array>) {
        const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
        rest = parts.pop() as string;
        lines.push(...parts.map((part) => JSON.parse(part)));
      }
    })();
    done.catch(() => {});
    return { response, lines, done, stop: () => controller.abort() };
  }

  it("begins with the current state, then sends each change once", async () => {
    await post(mock.baseUrl, PLANT);
    const { response, lines, stop } = await follow();
    expect(response.headers.get("content-type")).toBe("application/x-ndjson");
    await expect.poll(() => lines.length).toBe(3);
    expect(lines[0]).toEqual({ opened: ["root"], ended: [] });
    expect(lines[1].requests).toMatchObject([{ number: 1, isOver: true, status: 200, plant: { id: 1 } }]);
    expect(lines[2].overview).toMatchObject({ baseUrl: mock.baseUrl, requests: 1, plants: 1, faults: [], gates: [] });
    const gate = mock.hold();
    const held = post(mock.baseUrl, '{"id":2,"name":"held"}');
    await gate.arrived(1);
    await expect.poll(() => lines.at(-1)?.overview?.gates).toMatchObject([{ arrived: 1 }]);
    const waiting = lines.flatMap(({ requests = [] }) => requests).at(-1);
    expect(waiting).toMatchObject({ number: 2, isOver: false });
    expect(waiting).not.toHaveProperty("durationMs");
    const other = post(mock.baseUrl, '{"id":3,"name":"held"}');
    const sent = () =>
      lines.flatMap(({ requests = [] }) => requests.map(({ number, isOver }: Line) => [number, isOver]));
    await expect.poll(sent).toEqual([
      [1, true],
      [2, false],
      [3, false],
    ]);
    gate.release();
    await Promise.all([held, other]);
    await expect.poll(() => sent().length).toBe(5);
    expect(sent().slice(3)).toEqual(
      expect.arrayContaining([
        [2, true],
        [3, true],
      ]),
    );
    mock.reset();
    await expect.poll(() => lines.filter(({ isCleared }) => isCleared)).toEqual([{ session: "root", isCleared: true }]);
    await expect.poll(() => lines.at(-1)?.overview?.requests).toBe(0);
    stop();
  });

  it("includes the requests of every session on demand, and says which sessions have ended", async () => {
    const opened = await openSession();
    await post(mock.baseUrl, PLANT);
    await post(mock.baseUrl, PLANT, opened.token);
    const { lines, stop } = await follow("?requests=all");
    const seen = () =>
      lines.filter(({ requests }) => requests).map(({ session, requests }) => [session, requests.length]);
    await expect.poll(seen).toEqual([
      ["root", 1],
      [opened.session, 1],
    ]);
    await endSession(opened.session);
    await expect.poll(() => lines.at(-1)).toEqual({ opened: [], ended: [opened.session] });
    stop();
    const refused = await fetch(`${mock.url}/_mock/events?requests=some`);
    expect([refused.status, (await refused.json()).message]).toEqual([400, 'requests: must be all; received "some"']);
  });

  it("sends the requests after a clear, even if they are as many as before", async () => {
    await post(mock.baseUrl, PLANT);
    const { lines, stop } = await follow();
    await expect.poll(() => lines.length).toBe(3);
    mock.requests.clear();
    await mock.fetch(`${mock.baseUrl}/other`);
    await expect.poll(() => lines.at(-1)?.requests).toMatchObject([{ number: 1, path: "/other" }]);
    expect(lines).toContainEqual({ session: "root", isCleared: true });
    stop();
  });

  it("names sessions as they open and end, those of the mock's own process included", async () => {
    const sessions = Array.from({ length: 1000 }, () => mock.session());
    const { lines, stop } = await follow();
    await expect.poll(() => lines.length).toBe(2);
    expect(lines[0].opened).toHaveLength(1001);
    const { length } = lines;
    const last = mock.session();
    await expect.poll(() => lines.length).toBe(length + 1);
    const [name] = lines.at(-1).opened;
    expect(lines.at(-1)).toEqual({ opened: [name], ended: [] });
    const listed = await (await fetch(`${mock.url}/_mock/sessions?last=1`)).json();
    const label = mock.labelOf(last.token);
    expect(listed).toEqual({ size: 1002, sessions: [{ session: name, baseUrl: mock.baseUrl, label }] });
    expect((await endSession(name)).status).toBe(204);
    expect(() => last.hold()).toThrow("the session was disposed");
    await expect.poll(() => lines.at(-1)).toEqual({ opened: [], ended: [name] });
    for (const session of sessions) session[Symbol.dispose]();
    await expect.poll(() => lines.slice(length).flatMap(({ ended }) => ended).length).toBe(1001);
    stop();
  });

  it("names a session that opens as soon as another has ended", async () => {
    const first = mock.session();
    const { lines, stop } = await follow();
    await expect.poll(() => lines[0]?.opened).toEqual(["root", expect.any(String)]);
    first[Symbol.dispose]();
    const second = mock.session();
    await expect.poll(() => lines.at(-1)).toEqual({ opened: [expect.any(String)], ended: [lines[0].opened[1]] });
    second[Symbol.dispose]();
    stop();
  });

  it("ends with its session", async () => {
    const opened = await openSession();
    const { lines, done } = await follow(`?session=${opened.session}`);
    await expect.poll(() => lines.length).toBe(2);
    await endSession(opened.session);
    await done;
  });

  it.each(["close", "drain"] as const)("ends completely when its server ends (%s)", async (end) => {
    const adapter = await openHttpAdapter({});
    const connection = await RawConnection.open(adapter.url);
    const ending = connection.endedPolitely();
    await connection.send("GET /_mock/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await connection.received(/"overview"/);
    await adapter[end]();
    const { text, code } = await ending;
    expect(text).toMatch(/\r\nConnection: close\r\n[\s\S]+\r\n0\r\n\r\n$/);
    expect(code).toBeUndefined();
  });

  it("sends nothing after its end, even if its reader has not read it to the end", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const watched = createMockPlantStore();
    const reader = new SlowReader();
    reader._final = () => {};
    new SessionFeed(reader, watched, false);
    reader.end();
    watched.hold();
    vi.advanceTimersByTime(100);
    expect([reader.errored, reader.lines.at(-1)]).toEqual([null, expect.stringContaining('"gates":[]')]);
    reader.destroy();
    vi.useRealTimers();
  });

  it("lists a hundred faults, gates and held requests of a gate, and counts all", async () => {
    const watched = createMockPlantStore();
    const reader = new SlowReader();
    for (let i = 0; i < 200; i++) watched.inject(faults.reply({ status: 500, body: "x".repeat(10_000) }));
    const gates = Array.from({ length: 101 }, () => watched.hold());
    const held = Array.from({ length: 102 }, () => watched.fetch(`${watched.baseUrl}/plants`).catch(() => {}));
    await gates[100]?.arrived(102);
    new SessionFeed(reader, watched, false);
    const { overview } = JSON.parse(reader.lines.at(-1) as string);
    expect([overview.faultCount, overview.gateCount, overview.heldCount]).toEqual([200, 101, 101 * 102]);
    expect([overview.faults.length, overview.gates.length]).toEqual([100, 100]);
    expect([overview.gates[0].held.length, overview.gates[0].heldCount]).toEqual([100, 102]);
    reader.destroy();
    watched.reset();
    await Promise.all(held);
  });

  it("no longer counts a fault that is used up", async () => {
    const watched = createMockPlantStore();
    for (let i = 0; i < 3; i++) watched.inject(faults.apiError(1, "no"));
    await watched.fetch(`${watched.baseUrl}/plants`);
    const reader = new SlowReader();
    new SessionFeed(reader, watched, false);
    const { overview } = JSON.parse(reader.lines.at(-1) as string);
    expect([overview.faultCount, overview.faults.length]).toEqual([2, 2]);
    reader.destroy();
  });

  it("sends nothing while nothing changes", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const watched = createMockPlantStore();
    const reader = new SlowReader();
    new SessionFeed(reader, watched, false);
    await watched.fetch(`${watched.baseUrl}/elsewhere`);
    vi.advanceTimersByTime(100);
    const { length } = reader.lines;
    vi.advanceTimersByTime(1000);
    expect(reader.lines).toHaveLength(length);
    reader.destroy();
    vi.useRealTimers();
  });

  it("sets no timer once its reader has gone", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const reader = new SlowReader();
    new SessionFeed(reader, createMockPlantStore(), false);
    expect(vi.getTimerCount()).toBe(1);
    reader.destroy();
    await once(reader, "close");
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  it("keeps at most about 1 MiB for a reader that reads nothing, and sends the rest later", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const many = createMockPlantStore();
    const reader = new SlowReader();
    new SessionFeed(reader, many, false);
    reader.unread = 2 ** 20;
    await many.fetch(`${many.baseUrl}/elsewhere`);
    const { length } = reader.lines;
    vi.advanceTimersByTime(1000);
    expect(reader.lines).toHaveLength(length);
    reader.unread = 0;
    vi.advanceTimersByTime(100);
    expect(reader.lines.at(-1)).toContain('"requests":1');
    reader.destroy();
    vi.useRealTimers();
  });

  it("ends alone if a line cannot be written", async () => {
    const reader = new SlowReader();
    reader.write = () => {
      throw new RangeError("Invalid string length");
    };
    const other = createMockPlantStore();
    new SessionFeed(reader, other, false);
    expect(reader.destroyed).toBe(true);
  });

  it("sends a list of any length, a thousand requests per line", async () => {
    await using large = await startMockPlantStore({ journalLimit: 3000 });
    for (let i = 0; i < 2500; i++) await large.handle(new Request(`${large.baseUrl}/${i}`));
    const controller = new AbortController();
    const response = await fetch(`${large.url}/_mock/events`, { signal: controller.signal });
    let text = "";
    for await (const chunk of response.body as ReadableStream<Uint8Array>) {
      text += new TextDecoder().decode(chunk, { stream: true });
      if (text.includes('"overview"')) break;
    }
    const lines = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ requests }) => requests?.length)).toEqual([undefined, 1000, 1000, 500, undefined]);
    controller.abort();
  });
});
