/** Serves the built documentation site on this machine: `npm run docs:serve`, or with a port as the argument. */
import { existsSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Plugin, preview } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
if (!existsSync(`${root}site/index.html`)) {
  console.error("There is no site yet: run `npm run docs` first.");
  process.exit(1);
}

/** Vite's own 404 is an empty page, and the links of 404.html lead to the published site. */
const notFound: Plugin = {
  name: "not-found",
  configurePreviewServer({ middlewares }) {
    // Returned, because it runs after the site's files, and before Vite's own 404.
    return () => {
      middlewares.use(({ url = "/" }, response, next) => {
        const { pathname } = new URL(url, "http://site");
        if (statSync(`${root}site${pathname}`, { throwIfNoEntry: false })?.isFile()) return next();
        response.writeHead(404, { "Content-Type": "text/plain; charset=utf-8" });
        response.end(`There is no page at ${pathname}. Every guide is listed on the first page of the site: /\n`);
      });
    };
  },
};

const server = await preview({
  root,
  configFile: false,
  // A path without a page is a 404, and not the landing page.
  appType: "mpa",
  build: { outDir: "site" },
  plugins: [notFound],
  preview: { host: "127.0.0.1", port: Number(process.argv[2] ?? 4020) },
});
server.printUrls();
