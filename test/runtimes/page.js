// The suite in a browser, and then the mock behind MSW's service worker. The page sends its results to its own server.
import { PlantStoreClient } from "plant-store-client";
import { faults } from "plant-store-client/mock";
import { setupMockPlantStoreWorker } from "plant-store-client/mock/browser";
import { rows } from "./fault-rows.ts";
import { observe } from "./observe.ts";
import { runSuite } from "./suite.js";

/** How a call can wait for a mock. */
const WAITS = {
  delay: (mock) => mock.inject(faults.delay(60_000)),
  hang: (mock) => mock.inject(faults.hang()),
  stalledBody: (mock) => mock.inject(faults.stalledBody()),
  "a gate": (mock) => mock.hold(),
};

const setting = await (await fetch("/setting")).json();
const results = await runSuite(setting).catch((error) => [{ name: "runs the suite", problem: `${error?.stack}` }]);
const mock = setupMockPlantStoreWorker();
await mock.start();
results.push(...(await runFaults(mock, setting.workerFaults)), ...(await runAborts(mock)));
results.push(await runRestarts(mock));
await mock.stop();
await fetch("/results", { method: "POST", body: JSON.stringify(results) });

/** One case for each of them. The page reports rejections that nobody handles. */
async function runAborts(mock) {
  const cases = [];
  for (const [wait, begin] of Object.entries(WAITS)) {
    const name = `an abort ends a call that waits for ${wait} behind MSW's service worker`;
    begin(mock);
    const controller = new AbortController();
    const client = new PlantStoreClient(mock.clientOptions);
    const call = client.tryCreatePlant({ id: 7, name: "Fern" }, { signal: controller.signal });
    while (mock.requests.count === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort();
    const result = await Promise.race([call, hangs()]);
    const isAborted = result.error?.kind === "aborted" && result.error.outcome === "unknown";
    cases.push(isAborted ? { name } : { name, problem: `${result.error ?? JSON.stringify(result)}` });
    mock.reset();
  }
  return cases;
}

/** The mock of one file of tests stops, and that of the next starts at once. */
async function runRestarts(mock) {
  const name = "the mock can start again at once, in MSW's service worker";
  for (let restart = 1; restart <= 5; restart++) {
    const restarted = mock.stop().then(() => mock.start());
    const problem = await Promise.race([restarted, hangs()]).catch(String);
    if (problem !== undefined) return { name, problem: `restart ${restart}: ${problem}` };
    const result = await new PlantStoreClient(mock.clientOptions).tryCreatePlant({ id: 7, name: "Fern" });
    if (!result.ok) return { name, problem: `restart ${restart}: ${result.error}` };
  }
  return { name };
}

/** One case for each fault that a service worker can reproduce. */
async function runFaults(mock, types) {
  const cases = [];
  for (const [row, { example, ...expected }] of Object.entries(rows)) {
    if (!types.includes(example.type)) continue;
    const name = `${row} reaches the client through MSW's service worker`;
    const observed = await Promise.race([observe(mock, example), hangs()]).catch(String);
    const isEqual = Object.keys(expected).every((key) => observed[key] === expected[key]);
    cases.push(isEqual ? { name } : { name, problem: JSON.stringify(observed) });
  }
  return cases;
}

function hangs() {
  return new Promise((resolve) => setTimeout(resolve, 200_000, "It hangs"));
}
