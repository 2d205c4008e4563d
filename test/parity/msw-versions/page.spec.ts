import { setupServer } from "msw/node";
import { createMockPlantStore, faults } from "plant-store-client/mock";
import { createHandlers } from "plant-store-client/mock/msw";
import { setupMockPlantStore } from "plant-store-client/mock/node";
import { expect, onTestFinished, test } from "vitest";

// In jsdom and happy-dom, whose XMLHttpRequest sends a preflight through MSW 3. axios sends with it, too.

function send(method: string, url: string): Promise<string> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    request.setRequestHeader("Authorization", "Bearer a");
    request.setRequestHeader("Content-Type", "application/json");
    request.onload = () => resolve(`${request.status} ${request.responseText} ${request.getResponseHeader("X-Note")}`);
    request.onerror = () => resolve("error");
    request.send('{"id":1,"name":"Aloe"}');
  });
}

test.each(["https://plant-store.test/v1", `${location.origin}/api`])(
  "a page creates a plant at %s",
  async (baseUrl) => {
    const store = setupMockPlantStore({ baseUrl, onUnhandledRequest: "error" });
    store.listen();
    onTestFinished(() => store.close());
    expect(await send("POST", `${baseUrl}/plants`)).toBe('200 {"name":"Aloe"} null');
    store.inject(faults.reply({ status: 503, headers: { "X-Note": "later" }, body: "busy" }));
    expect(await send("POST", `${baseUrl}/plants`)).toBe("503 busy later");
    store.verify();
    expect([...store.requests].map(({ method, status }) => `${method} ${status}`)).toEqual(["POST 200", "POST 503"]);
    expect(await send("PUT", `${baseUrl}/pots`)).toMatch(/^404 /);
    expect(() => store.verify()).toThrow(/found 1 problem:\n- PUT \S+\/pots returned 404/);
  },
);

test("handlers beside those of the user see no preflight of another URL", async () => {
  const mock = createMockPlantStore();
  const server = setupServer(...createHandlers(mock));
  server.listen({ onUnhandledRequest: "bypass" });
  onTestFinished(() => server.close());
  expect(await send("POST", `${mock.baseUrl}/plants`)).toBe('200 {"name":"Aloe"} null');
  expect(await send("POST", "https://plant-store.invalid/plants")).toBe("error");
  expect(mock.requests.count).toBe(1);
});
