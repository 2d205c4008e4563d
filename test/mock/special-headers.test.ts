import { faults } from "plant-store-client/mock";
import { expect, it } from "vitest";
import { adapters } from "./adapters.ts";

/** Header names that node:http, fetch, undici or plain objects treat specially. */
const SPECIAL_HEADERS = `Age Authorization Connection Content-Encoding Content-Length Content-Location Content-Type
Cookie Date ETag Expect Expires From Host HTTP2-Settings If-Modified-Since Keep-Alive Last-Modified Location Max-Forwards
Proxy-Authenticate Proxy-Authorization Proxy-Connection Referer Retry-After Server Set-Cookie Set-Cookie2 Status TE Trailer
Transfer-Encoding Upgrade User-Agent Vary Via __proto__ constructor toString`.split(/\s+/);

const REFUSED = ["Connection", "Content-Encoding", "Content-Length", "Trailer", "Transfer-Encoding"];

it.each(Object.entries(adapters))(
  "%s: a response may have any header that the adapter does not set itself",
  async (_form, open) => {
    const { mock, send, close } = await open();
    const headers = { Authorization: "Bearer t", "Content-Type": "application/json" };
    for (const name of SPECIAL_HEADERS) {
      const given: Record<string, string> = Object.defineProperty({}, name, { value: "1", enumerable: true });
      const fault = { type: "reply", status: 418, headers: given } as const;
      if (REFUSED.includes(name)) {
        expect(() => mock.inject(fault)).toThrow(`fault.headers: ${name} is set by the mock itself`);
        continue;
      }
      mock.inject(fault);
      const init = { method: "POST", headers, body: '{"id":1,"name":"x"}', redirect: "manual" } as const;
      const outcome = await send(`${mock.baseUrl}/plants`, init).then(
        async (response) => [response.status, await response.text()],
        (error: Error & { cause?: Error }) => error.cause?.message,
      );
      expect([name, outcome]).toEqual([name, [418, ""]]);
    }
    mock.inject({ type: "reply", status: 418, headers: { "X-Word": "café" }, body: "café" });
    const latin = await send(`${mock.baseUrl}/plants`, { method: "POST", headers, body: "{}" });
    expect([latin.headers.get("x-word"), await latin.text()]).toEqual(["café", "café"]);
    mock.inject(faults.delay(0));
    const last = await send(`${mock.baseUrl}/plants`, { method: "POST", headers, body: '{"id":1,"name":"x"}' });
    expect([last.status, mock.plants.size]).toEqual([200, 1]);
    await close();
  },
);

it.each(Object.entries(adapters))("%s: a body may have fields that every object has", async (_form, open) => {
  const { mock, post, close } = await open();
  for (const name of ["then", "__proto__", "constructor", "toJSON", "toString", "length"]) {
    for (const value of ["{}", "1", "null"]) {
      const response = await post(`{"id":0,"name":"","${name}":${value}}`);
      expect([name, value, await response.text()]).toEqual([name, value, '{"name":""}']);
      expect(mock.requests.last?.plant).toEqual({ id: 0, name: "" });
    }
  }
  await close();
});
