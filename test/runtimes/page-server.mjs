// Serves the page that runs the suite in a browser, and receives its results.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { json } from "node:stream/consumers";

const WORKER = createRequire(import.meta.url).resolve("msw/mockServiceWorker.js");
const PAGE = `<!doctype html><link rel="icon" href="data:,"><title>suite</title>
<script>
  const report = (problem) =>
    fetch("/results", { method: "POST", body: JSON.stringify([{ name: "runs the suite", problem }]) });
  addEventListener("error", ({ message }) => report(message));
  addEventListener("unhandledrejection", ({ reason }) => report(String(reason)));
</script>
<script type="module" src="/page.js"></script>`;

/**
 * @param {string} folder - Holds the bundle `page.js`.
 * @param {object} setting - What the page gets from `/setting`.
 * @returns {Promise<{ url: string, results: Promise<{ name: string, problem?: string }[]>, close(): void }>}
 */
export async function servePage(folder, setting) {
  const files = {
    "/": ["text/html", PAGE],
    "/page.js": ["text/javascript", readFileSync(join(folder, "page.js"))],
    "/mockServiceWorker.js": ["text/javascript", readFileSync(WORKER)],
    "/setting": ["application/json", JSON.stringify(setting)],
  };
  let server;
  const results = new Promise((resolve, reject) => {
    server = createServer((request, response) => {
      if (request.method === "POST") {
        response.writeHead(204).end();
        return json(request).then(resolve, reject);
      }
      const [type, body] = files[request.url] ?? ["text/plain", "not found"];
      response.writeHead(files[request.url] ? 200 : 404, { "Content-Type": type }).end(body);
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  // The page has another origin than the service, as in production.
  return { url: `http://localhost:${server.address().port}/`, results, close };
}
