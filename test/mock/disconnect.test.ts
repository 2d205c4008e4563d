import { createMockPlantStore, type Fault, faults } from "plant-store-client/mock";
import { describe, expect, it } from "vitest";
import { collectGarbage } from "../collect-garbage.ts";
import { adapters } from "./adapters.ts";
import { post, rejection } from "./post.ts";

const PLANT = '{"id":1,"name":"Fern"}';
const WAITS: readonly Fault[] = [faults.hang(), faults.delay(100_000), faults.stalledBody()];

describe.each(Object.entries(adapters))("a client that disconnects, %s", (_form, open) => {
  it.each(WAITS)("releases what $type holds for it", async (fault) => {
    const { mock, post, close } = await open();
    mock.inject(fault);
    const controller = new AbortController();
    const reply = post(PLANT, { signal: controller.signal });
    const failed = rejection(reply.then((response) => response.text()));
    await expect.poll(() => mock.requests.count).toBe(1);
    mock.verify();
    if (fault.type === "stalledBody") await reply;
    controller.abort(new Error("enough"));
    expect((await failed).message).toBe("enough");
    await expect.poll(() => mock.requests.last?.durationMs).toBeGreaterThan(0);
    expect(mock.plants.size).toBe(fault.type === "hang" ? 0 : 1);
    await close();
  });

  // A Request holds the signal of its caller only weakly (nodejs/undici#3644).
  it("ends a stalled body after a garbage collection too", async () => {
    const { mock, post, close } = await open();
    mock.inject(faults.stalledBody());
    const controller = new AbortController();
    const response = await post(PLANT, { signal: controller.signal });
    const failed = rejection(response.text());
    for (let turn = 0; turn < 10; turn++) {
      collectGarbage();
      await new Promise((resolve) => setImmediate(resolve));
    }
    controller.abort(new Error("enough"));
    expect((await failed).message).toBe("enough");
    await close();
  });

  it.each(WAITS)("at once, is not held by $type", async (fault) => {
    const { mock, post, close } = await open();
    for (let turns = 0; turns < 60; turns++) {
      mock.reset();
      mock.inject(fault, { times: Number.POSITIVE_INFINITY });
      const controller = new AbortController();
      const reply = post(PLANT, { signal: controller.signal });
      const failed = rejection(reply.then((response) => response.text()));
      for (let turn = 0; turn < turns; turn++) await undefined;
      controller.abort(new Error("enough"));
      await failed;
      await expect.poll(() => [...mock.requests].filter((request) => request.durationMs === undefined)).toEqual([]);
    }
    mock.reset();
    await close();
  });

  it("while it sends its body, leaves neither a plant nor a record", async () => {
    const { mock, post, close } = await open();
    const controller = new AbortController();
    let chunks = 0;
    const body = new ReadableStream({
      pull(stream) {
        if (chunks++ === 0) stream.enqueue(new TextEncoder().encode(PLANT));
        else setImmediate(() => controller.abort(new Error("enough")));
      },
    });
    const init = { duplex: "half", signal: controller.signal } as RequestInit;
    expect((await rejection(post(body, init))).message).toBe("enough");
    expect((await post('{"id":2,"name":"Moss"}')).status).toBe(200);
    expect([...mock.plants]).toEqual([{ id: 2, name: "Moss" }]);
    expect(mock.requests.count).toBe(1);
    await close();
  });

  it("leaves its gate, and its plant is not stored", async () => {
    const { mock, post, close } = await open();
    const gate = mock.hold();
    const controller = new AbortController();
    const failed = rejection(post(PLANT, { signal: controller.signal }));
    await gate.arrived(1);
    expect(problemsOf(mock)).toContain("1 request held at a gate");
    controller.abort(new Error("enough"));
    await failed;
    await expect.poll(() => problemsOf(mock)).toBe("");
    gate.release();
    expect(mock.plants.size).toBe(0);
    expect(mock.requests.last).toMatchObject({ method: "POST", durationMs: expect.any(Number) });
    expect(mock.requests.last).not.toHaveProperty("status");
    expect(mock.requests.last).not.toHaveProperty("provenance");
    await close();
  });
});

function problemsOf(mock: { verify(): void }): string {
  try {
    mock.verify();
    return "";
  } catch (error) {
    return String(error);
  }
}

it("a request that is aborted before a server passes it on is rejected, even if its body cannot be canceled", async () => {
  const mock = createMockPlantStore();
  let canceled = 0;
  const body = new ReadableStream({
    cancel() {
      canceled++;
      throw new Error("cannot be canceled");
    },
  });
  const init = { method: "POST", body, duplex: "half", signal: AbortSignal.abort("enough") } as RequestInit;
  expect(await rejection(mock.handle(new Request(`${mock.baseUrl}/plants`, init)))).toBe("enough");
  expect(canceled).toBe(1);
});

it("a chunk of a body that is not bytes fails the request, as in fetch", async () => {
  const mock = createMockPlantStore();
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue("text");
      controller.close();
    },
  });
  expect(await rejection(post(mock, body as never, { duplex: "half" } as RequestInit))).toMatchObject({
    message: "fetch failed",
    cause: { message: "a chunk of the request body is not a Uint8Array" },
  });
});
