import { afterEach, expect, it, vi } from "vitest";
import { openHttpForm } from "../../../mock/http/http-form.ts";
import { PLANT, post, RawConnection } from "./raw.ts";

afterEach(() => {
  vi.useRealTimers();
});

it("a server that ends waits five seconds for what is held, and no longer", async () => {
  const form = await openHttpForm({});
  const gate = form.mock.hold();
  const connection = await RawConnection.open(form.url);
  await connection.send(post(PLANT));
  await gate.arrived(1);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  let isOver = false;
  const drained = form.drain().then(() => (isOver = true));
  await vi.advanceTimersByTimeAsync(4_999);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await drained;
  expect(await connection.ended()).toEqual({ text: "", code: "ECONNRESET" });
});
