// Some cases of the suite in a web worker, a shared worker or a service worker. The page sends the setting, together with
// a port for the results.
import { runSuite } from "./suite.js";

const NAMES = [
  "creates a plant",
  "sends again after a 429",
  "ends at the deadline, before the reply",
  "ends at an abort, before the reply",
  "works with the mock in memory",
];

addEventListener("message", run);
addEventListener("connect", ({ ports }) => {
  ports[0].onmessage = run;
});

function run(event) {
  const finished = runSuite(event.data, NAMES).then((results) => event.ports[0].postMessage(results));
  event.waitUntil?.(finished);
}
