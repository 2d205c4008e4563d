import { channel } from "node:diagnostics_channel";
import { EventEmitter } from "node:events";
import { describe, expect, test } from "vitest";
import { DispatchWatch } from "../../src/platform/dispatch-watch.ts";

// Node 20 does not publish the streams of HTTP/2; test/runtimes/http2.mjs runs what is proven here on Node 26.

const PLANTS = { origin: "https://plants.localhost", path: "/plants", method: "POST" };
const GRACEFUL = 2 ** 31 - 1;
const reset = new Error("reset");

class Session extends EventEmitter {
  #lastId = -1;

  /** Creates a stream, as undici does right after the hook of a request. */
  open(path = "/plants"): void {
    this.#lastId += 2;
    const headers = { ":method": "POST", ":scheme": "https", ":authority": "plants.localhost", ":path": path };
    channel("http2.client.stream.created").publish({ stream: { id: this.#lastId, session: this }, headers });
  }

  goaway(lastId: number, code = 0): this {
    this.emit("goaway", code, lastId);
    return this;
  }
}

/** The watch of a request that a dispatcher has received. */
function dispatched(): DispatchWatch {
  const watch = new DispatchWatch();
  watch.enter({}, PLANTS);
  return watch;
}

/** The watch of a request that is written to the next stream of a session. */
function written(session: Session): DispatchWatch {
  const watch = dispatched();
  watch.begin();
  session.open();
  return watch;
}

describe("a request of which a GOAWAY says that it was not processed", () => {
  const isRefused = (watch: DispatchWatch) => watch.hadBegun(reset) === false;

  test("is not sent, and is not written any more", () => {
    const session = new Session();
    const [first, second] = [written(session), written(session)];
    session.goaway(1);
    expect([first, second].map(isRefused)).toEqual([false, true]);
    expect(() => second.begin()).toThrow("reported as not sent");
  });

  test("is not sent either if its call ends before it fails", () => {
    const session = new Session();
    const [first, second] = [written(session), written(session)];
    session.goaway(1);
    expect([first.stop(), second.stop()]).toEqual([false, true]);
  });

  test("is known from the lowest of several last ids", () => {
    const session = new Session();
    const watches = [written(session), written(session), written(session)];
    session.goaway(GRACEFUL).goaway(1).goaway(3);
    expect(watches.map(isRefused)).toEqual([false, true, true]);
  });

  test("is told from one that another caller sends in the same turn", () => {
    const session = new Session();
    const watch = dispatched();
    watch.begin();
    session.open("/health");
    session.open();
    session.open();
    session.goaway(1);
    expect(isRefused(watch)).toBe(true);
  });
});

describe("a request may have been processed", () => {
  test.each<[string, (session: Session) => void]>([
    ["without a GOAWAY", () => {}],
    ["if the GOAWAY covers its stream, with the code of a refusal", (session) => session.goaway(1, 7)],
    ["if the GOAWAY covers it, and the connection closes", (session) => session.goaway(GRACEFUL).emit("close")],
    ["if the GOAWAY is that of another session", () => new Session().goaway(0)],
  ])("%s", (_name, end) => {
    const session = new Session();
    const watch = written(session);
    end(session);
    expect([watch.hadBegun(reset), watch.stop()]).toEqual([true, false]);
  });

  test("if it was written twice", () => {
    const session = new Session();
    const watch = written(session);
    watch.begin();
    session.open();
    session.goaway(0);
    expect(watch.hadBegun(reset)).toBe(true);
  });

  test("over HTTP/1.1, even if another caller creates a stream in a later turn", async () => {
    const session = new Session();
    const watch = dispatched();
    watch.begin();
    await null;
    session.open();
    session.goaway(0);
    expect(watch.hadBegun(reset)).toBe(true);
  });
});
