/** Serves the built documentation site on this machine: `npm run docs:serve`, or with a port as the argument. */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";

const site = new URL("../site/", import.meta.url);

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css",
  ".js": "text/javascript",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
};

/** The file behind a path; a folder gives its index page. */
async function find(path: string): Promise<{ body: Buffer; type: string } | undefined> {
  const file = new URL(`.${path.endsWith("/") ? `${path}index.html` : path}`, site);
  // Serves nothing outside the site, even if the path has dots.
  if (!file.href.startsWith(site.href)) return undefined;
  try {
    return { body: await readFile(file), type: TYPES[extname(fileURLToPath(file))] ?? "text/plain; charset=utf-8" };
  } catch {
    return undefined;
  }
}

const server = createServer(async (request, response) => {
  const found = await find(new URL(request.url ?? "/", "http://localhost").pathname);
  if (found) response.writeHead(200, { "content-type": found.type }).end(found.body);
  else response.writeHead(404, { "content-type": "text/plain" }).end("Page not found.");
});

if (!(await find("/"))) {
  console.error("There is no site yet: run `npm run docs` first.");
  process.exit(1);
}
const port = Number(process.argv[2] ?? 4020);
server.listen(port, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/ shows the documentation; Ctrl-C stops it.`);
});
server.on("error", (error) => {
  console.error(`The documentation cannot be served: ${error.message}. \`npm run docs:serve -- 0\` takes a free port.`);
  process.exitCode = 1;
});
