// The suite in a browser, and then the mock behind MSW's service worker. The page sends its results to its own server.
import { setupMockPlantStoreWorker } from "plant-store-client/mock/browser";
import { rows } from "./fault-rows.ts";
import { observe } from "./observe.ts";
import { runSuite } from "./suite.js";

const setting = await (await fetch("/setting")).json();
const results = await runSuite(setting).catch((error) => [{ name: "runs the suite", problem: `${error?.stack}` }]);
results.push(...(await runFaults(setting.workerFaults)));
await fetch("/results", { method: "POST", body: JSON.stringify(results) });

/** One case for each fault that a service worker can reproduce. */
async function runFaults(types) {
  const mock = setupMockPlantStoreWorker();
  await mock.start();
  const faults = [];
  for (const type of types) {
    const name = `${type} reaches the client through MSW's service worker`;
    const { example, ...expected } = rows[type];
    const observed = await Promise.race([observe(mock, example), hangs()]).catch(String);
    const isEqual = Object.keys(expected).every((key) => observed[key] === expected[key]);
    faults.push(isEqual ? { name } : { name, problem: JSON.stringify(observed) });
  }
  await mock.stop();
  return faults;
}

function hangs() {
  return new Promise((resolve) => setTimeout(resolve, 20_000, "It hangs"));
}
