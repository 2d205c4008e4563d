import { ServerResponse } from "node:http";
import { faults } from "plant-store-client/mock";
import { afterEach, describe, expect, it, vi } from "vitest";
import { post as fetchPost } from "./post.ts";
import { exchange, PLANT, post, RawConnection } from "./raw.ts";
import { sharedMock } from "./shared-mock.ts";

const mock = await sharedMock({ maxBodyBytes: 1000 });
afterEach(() => vi.restoreAllMocks());

const JUNK = "\0junk\r\n\r\n";

/** The statuses on a connection, in their order. */
const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);

describe("a processed request gets its own response, and then invalid input after it closes the connection", () => {
  it.each([
    ["bytes after its body", JUNK],
    ["a body longer than it says", "}"],
    ["headers that are too large", `GET / HTTP/1.1\r\nX: ${"a".repeat(20_000)}\r\n\r\n`],
  ])("%s", async (_what, junk) => {
    const { text, code } = await exchange(mock.url, post(PLANT) + junk);
    expect([statuses(text)[0], code, mock.plants.size]).toEqual(["200", undefined, 1]);
  });

  it("junk that arrives after the response", async () => {
    const connection = await RawConnection.open(mock.url);
    await connection.send(post(PLANT));
    await connection.received(/Monstera/);
    await connection.send(JUNK);
    expect(statuses((await connection.endedPolitely()).text)).toEqual(["200", "400"]);
  });

  it("junk while it is held, once it is released", async () => {
    const gate = mock.hold();
    const connection = await RawConnection.open(mock.url);
    const ended = connection.endedPolitely();
    await connection.send(post(PLANT));
    await gate.arrived(1);
    await connection.send(JUNK);
    await connection.send(JUNK);
    await exchange(mock.url, "GET /_mock/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    gate.release();
    expect(statuses((await ended).text)).toEqual(["200"]);
  });
});

it.each(["hang", "stalledBody"] as const)("junk after a request that meets %s waits for a reset", async (type) => {
  mock.inject(faults[type]());
  const connection = await RawConnection.open(mock.url);
  await connection.send(post(PLANT));
  await expect.poll(() => mock.requests.count).toBe(1);
  await connection.send(JUNK);
  mock.reset();
  expect(await connection.ended()).toMatchObject({ code: "ECONNRESET", text: expect.not.stringContaining("400") });
});

describe("a response that Node rejects", () => {
  it("fails only its own request, and verify reports it", async () => {
    vi.spyOn(ServerResponse.prototype, "writeHead").mockImplementationOnce(() => {
      throw new TypeError("no such header");
    });
    const other = fetchPost(mock.baseUrl, PLANT).then(({ status }) => status);
    const outcomes = await Promise.allSettled([fetchPost(mock.baseUrl, PLANT).then(({ status }) => status), other]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(outcomes).toContainEqual({
      status: "rejected",
      reason: expect.objectContaining({ cause: expect.objectContaining({ code: "ECONNRESET" }) }),
    });
    expect(() => mock.verify()).toThrow(
      "POST /plants: the response cannot be sent: TypeError: no such header: change that response",
    );
  });
});
