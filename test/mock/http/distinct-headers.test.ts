import type { IncomingMessage } from "node:http";
import { expect, it } from "vitest";
import { headersReader } from "../../../mock/http/receive-request.ts";
import { startMockPlantStore } from "../../../mock/http.ts";
import { exchange, PLANT, post } from "./raw.ts";

function request(...rawHeaders: string[]): IncomingMessage {
  const headersDistinct: Record<string, string[]> = {};
  for (let i = 0; i < rawHeaders.length; i += 2) {
    headersDistinct[(rawHeaders[i] as string).toLowerCase()] = [rawHeaders[i + 1] as string];
  }
  return { rawHeaders, headersDistinct } as never;
}

it("successive requests with equal headers share one object", () => {
  const read = headersReader();
  const first = read(request("Host", "x", "Accept", "*/*"));
  expect(read(request("Host", "x", "Accept", "*/*"))).toBe(first);
  for (const other of [["Host", "x"], ["Host", "x", "Accept", "text/html"], ["Host", "x", "Expect", "*/*"], []]) {
    expect([...read(request(...other))].flat()).toEqual(other.map((text, i) => (i % 2 ? text : text.toLowerCase())));
  }
  expect(read(request("Host", "x", "Accept", "*/*"))).not.toBe(first);
});

it("several headers of one name are joined, those for the token, too", async () => {
  await using mock = await startMockPlantStore();
  const headers = ["Authorization: Bearer other", "X-Word: a", "X-Word: b", "Connection: close"];
  const { text } = await exchange(mock.url, post(PLANT, headers));
  expect(text).toContain("Authorization: must be sent once");
  expect(mock.requests.last).toMatchObject({ status: 400, headers: { "x-word": "a, b" } });
});
