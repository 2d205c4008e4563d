import { createMockPlantStore, type Fault, faults } from "plant-store-client/mock";
import { describe, expect, it } from "vitest";
import { collectGarbage } from "../collect-garbage.ts";
import { adapters } from "./adapters.ts";
import { post, rejection } from "./post.ts";

const PLANT = '{"id":1,"name":"Fern"}';

describe.each(Object.entries(adapters))("a client that disconnects, %s", (_form, open) => {
  it.each<Fault>([faults.hang(), faults.delay(100_000), faults.stalledBody()])(
    "releases what $type holds for it",
    async (fault) => {
      const { mock, send, close } = await open();
      mock.inject(fault);
      const controller = new AbortController();
      const headers = { Authorization: `Bearer ${mock.token}`, "Content-Type": "application/json" };
      const { signal } = controller;
      const reply = send(`${mock.baseUrl}/plants`, { method: "POST", headers, body: PLANT, signal });
      const failed = rejection(reply.then((response) => response.text()));
      await expect.poll(() => mock.requests.count).toBe(1);
      expect(() => mock.verify()).toThrow("1 request waiting in a fault");
      if (fault.type === "stalledBody") await reply;
      controller.abort(new Error("enough"));
      expect((await failed).message).toBe("enough");
      await expect.poll(() => verified(mock)).toBe(true);
      expect(mock.requests.last?.durationMs).toBeGreaterThan(0);
      expect(mock.plants.size).toBe(fault.type === "hang" ? 0 : 1);
      await close();
    },
  );

  // A Request holds the signal of its caller only weakly (nodejs/undici#3644).
  it("ends a stalled body after a garbage collection too", async () => {
    const { mock, send, close } = await open();
    mock.inject(faults.stalledBody());
    const controller = new AbortController();
    const headers = { Authorization: `Bearer ${mock.token}`, "Content-Type": "application/json" };
    const { signal } = controller;
    const response = await send(`${mock.baseUrl}/plants`, { method: "POST", headers, body: PLANT, signal });
    const failed = rejection(response.text());
    for (let turn = 0; turn < 10; turn++) {
      collectGarbage();
      await new Promise((resolve) => setImmediate(resolve));
    }
    controller.abort(new Error("enough"));
    expect((await failed).message).toBe("enough");
    await expect.poll(() => verified(mock)).toBe(true);
    await close();
  });

  it.each<Fault>([faults.hang(), faults.delay(100_000), faults.stalledBody()])(
    "at once, is not held by $type",
    async (fault) => {
      const { mock, send, close } = await open();
      for (let turns = 0; turns < 60; turns++) {
        mock.reset();
        mock.inject(fault, { times: Number.POSITIVE_INFINITY });
        const controller = new AbortController();
        const headers = { Authorization: `Bearer ${mock.token}`, "Content-Type": "application/json" };
        const { signal } = controller;
        const reply = send(`${mock.baseUrl}/plants`, { method: "POST", headers, body: PLANT, signal });
        const failed = rejection(reply.then((response) => response.text()));
        for (let turn = 0; turn < turns; turn++) await undefined;
        controller.abort(new Error("enough"));
        await failed;
        await expect.poll(() => problemsOf(mock)).not.toContain("waiting in a fault");
      }
      mock.reset();
      await close();
    },
  );

  it.each<Fault>([faults.hang(), faults.delay(100_000), faults.stalledBody()])(
    "in the function `when` of $type, is not held by it",
    async (fault) => {
      const { mock, send, close } = await open();
      const controller = new AbortController();
      const when = () => {
        controller.abort(new Error("enough"));
        return true;
      };
      mock.inject(fault, { when });
      const headers = { Authorization: `Bearer ${mock.token}`, "Content-Type": "application/json" };
      const { signal } = controller;
      const reply = send(`${mock.baseUrl}/plants`, { method: "POST", headers, body: PLANT, signal });
      expect((await rejection(reply.then((response) => response.text()))).message).toBe("enough");
      await expect.poll(() => verified(mock)).toBe(true);
      await close();
    },
  );

  it("while it sends its body, leaves neither a plant nor a record", async () => {
    const { mock, send, close } = await open();
    const headers = { Authorization: `Bearer ${mock.token}`, "Content-Type": "application/json" };
    const url = `${mock.baseUrl}/plants`;
    const controller = new AbortController();
    let chunks = 0;
    const body = new ReadableStream({
      pull(stream) {
        if (chunks++ === 0) stream.enqueue(new TextEncoder().encode(PLANT));
        else setImmediate(() => controller.abort(new Error("enough")));
      },
    });
    const init = { method: "POST", headers, body, duplex: "half", signal: controller.signal } as RequestInit;
    expect((await rejection(send(url, init))).message).toBe("enough");
    expect((await send(url, { method: "POST", headers, body: '{"id":2,"name":"Moss"}' })).status).toBe(200);
    expect([...mock.plants]).toEqual([{ id: 2, name: "Moss" }]);
    expect(mock.requests.count).toBe(1);
    await close();
  });

  it("leaves its gate, and its plant is not stored", async () => {
    const { mock, send, close } = await open();
    const gate = mock.hold();
    const controller = new AbortController();
    const headers = { Authorization: `Bearer ${mock.token}`, "Content-Type": "application/json" };
    const { signal } = controller;
    const failed = rejection(send(`${mock.baseUrl}/plants`, { method: "POST", headers, body: PLANT, signal }));
    await gate.arrived(1);
    expect(() => mock.verify()).toThrow("1 request held at a gate");
    controller.abort(new Error("enough"));
    await failed;
    await expect.poll(() => verified(mock)).toBe(true);
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

function verified(mock: { verify(): void }): boolean {
  try {
    mock.verify();
    return true;
  } catch {
    return false;
  }
}

it("a reader that cancels a stalled body releases it", async () => {
  const mock = createMockPlantStore();
  mock.inject(faults.stalledBody());
  const headers = { Authorization: "Bearer t", "Content-Type": "application/json" };
  const response = await mock.fetch(`${mock.baseUrl}/plants`, { method: "POST", headers, body: PLANT });
  expect(() => mock.verify()).toThrow("1 request waiting in a fault");
  await response.body?.cancel();
  mock.verify();
});

it("an abort by a getter of the options cancels the body, even if that fails", async () => {
  const mock = createMockPlantStore();
  const controller = new AbortController();
  let canceled = 0;
  const body = new ReadableStream({
    cancel() {
      canceled++;
      throw new Error("cannot be canceled");
    },
  });
  const init = {
    method: "POST",
    body,
    duplex: "half" as const,
    signal: controller.signal,
    get headers() {
      controller.abort(new Error("enough"));
      return { Authorization: "Bearer t" };
    },
  };
  expect((await rejection(mock.fetch(`${mock.baseUrl}/plants`, init as RequestInit))).message).toBe("enough");
  expect(canceled).toBe(1);
});

it("a reset by the function `when` ends the request with a network error, and stores nothing", async () => {
  const mock = createMockPlantStore();
  const when = () => {
    mock.reset();
    return false;
  };
  mock.inject(faults.delay(1), { when });
  expect(await rejection(post(mock, PLANT))).toMatchObject({ message: "fetch failed", cause: { code: "ECONNRESET" } });
  expect([mock.plants.size, mock.requests.count]).toEqual([0, 0]);
});

it("a chunk of a body that is not bytes fails the request, as in fetch", async () => {
  const mock = createMockPlantStore();
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue("text");
      controller.close();
    },
  });
  const init = { method: "POST", body, duplex: "half" as const, headers: { Authorization: "Bearer t" } };
  expect(await rejection(mock.fetch(`${mock.baseUrl}/plants`, init))).toMatchObject({
    message: "fetch failed",
    cause: { message: "a chunk of the request body is not a Uint8Array" },
  });
});
