/** Serves the built documentation site on this machine: `npm run docs:serve`, or with a port as the argument. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { preview } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
if (!existsSync(`${root}site/index.html`)) {
  console.error("There is no site yet: run `npm run docs` first.");
  process.exit(1);
}
const server = await preview({
  root,
  configFile: false,
  // A path without a page is a 404, and not the landing page.
  appType: "mpa",
  build: { outDir: "site" },
  preview: { host: "127.0.0.1", port: Number(process.argv[2] ?? 4020) },
});
server.printUrls();
