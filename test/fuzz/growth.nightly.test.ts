import { createMockPlantStore, faults } from "plant-store-client/mock";
import { expect, test } from "vitest";

/** The characters of the smaller request; the larger one has four times as many. */
const SIZE = 2 ** 17;

interface Input {
  readonly body: string;
  readonly headers?: Record<string, string>;
  readonly path?: string;
}

/** Requests of any size, each with a kind of input that may be slow for a pattern or a loop. */
const growing: Record<string, (size: number) => Input> = {
  "zeros within an id": (n) => ({ body: `{"id":1${"0".repeat(n)}1,"name":"x"}` }),
  "zeros at the end of an id": (n) => ({ body: `{"id":1${"0".repeat(n)},"name":"x"}` }),
  "zeros after a point": (n) => ({ body: `{"id":1.${"0".repeat(n)}1,"name":"x"}` }),
  "zeros of an exponent": (n) => ({ body: `{"id":1e${"0".repeat(n)}1,"name":"x"}` }),
  "ids of one object": (n) => ({ body: `{${'"id":9007199254740993,'.repeat(n / 22)}"name":"x"}` }),
  "unknown fields": (n) => ({
    body: `{${Array.from({ length: n / 10 }, (_, i) => `"${i}x":1,`).join("")}"id":1.0,"name":"x"}`,
  }),
  "open brackets": (n) => ({ body: `{"id":1.0,"name":"x","y":${"[".repeat(n)}` }),
  "nested arrays": (n) => ({ body: `{"id":1.0,"name":"x","y":${"[".repeat(n / 2)}${"]".repeat(n / 2)}}` }),
  "a string that is not closed": (n) => ({ body: `{"id":1.0,"name":"${'\\"'.repeat(n / 2)}` }),
  "quotes in a name": (n) => ({ body: `{"id":1.0,"name":"${'\\"'.repeat(n / 2)}"}` }),
  "spaces between tokens": (n) => ({ body: `{"id":1.0,${" ".repeat(n)}"name":"x"}` }),
  "lone surrogates": (n) => ({ body: `{"id":1,"name":"${"\ud800".repeat(n)}"}` }),
  "spaces in a media type": (n) => ({ body: "{}", headers: { "Content-Type": `application/json${" ".repeat(n)}x` } }),
  "spaces in credentials": (n) => ({ body: "{}", headers: { Authorization: `Bearer ${" ".repeat(n)}a b` } }),
  "commas in credentials": (n) => ({ body: "{}", headers: { Authorization: "a, ".repeat(n / 3) } }),
  "segments of a path": (n) => ({ body: "{}", path: "/x".repeat(n / 2) }),
  "parameters of a query": (n) => ({ body: "{}", path: `/plants?${"a=1&".repeat(n / 4)}` }),
};

/** Sends one request through everything that reads it. */
async function exchange({ body, headers, path = "/plants" }: Input): Promise<void> {
  const mock = createMockPlantStore({ unknownFields: "reject" });
  mock.inject(faults.hang(), { when: { id: 2n ** 60n } });
  const init = {
    method: "POST",
    headers: { Authorization: "Bearer t", "Content-Type": "application/json", ...headers },
  };
  const { status } = await mock.fetch(`${mock.baseUrl}${path}`, { ...init, body });
  expect([200, 400, 401, 404, 413]).toContain(status);
}

/** The CPU time of four requests, in microseconds: the minimum of several runs, because the machine is shared. */
async function cpuTime(input: Input): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 5; i++) {
    const before = process.cpuUsage();
    for (let round = 0; round < 4; round++) await exchange(input);
    least = Math.min(least, process.cpuUsage(before).user);
  }
  return least;
}

test.each(Object.entries(growing))("%s: the time grows no faster than the request", async (_name, grow) => {
  const [small, large] = [await cpuTime(grow(SIZE)), await cpuTime(grow(SIZE * 4))];
  // Four times in linear time, sixteen times in quadratic time; what takes less than 20 ms is noise.
  expect(large).toBeLessThan(Math.max(20_000, small * 10));
});
