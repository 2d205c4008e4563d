import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { openPage as browserPage, launchBrowser } from "../browser.ts";
import { packages } from "../install-packages.ts";

/** A page that runs `page.ts`, served with the worker script of the MSW under test. */
export interface OpenPage {
  readonly page: Page;
  close(): Promise<void>;
}

/** Opens the page in Chromium. */
export async function openPage(): Promise<OpenPage> {
  const worker = { type: "text/javascript", body: await readFile(library("mockServiceWorker.js"), "utf8") };
  const files = new Map([
    [
      "/",
      { type: "text/html", body: '<!doctype html><link rel="icon" href="data:,"><script src="/page.js"></script>' },
    ],
    ["/page.js", { type: "text/javascript", body: await bundle() }],
    ["/mockServiceWorker.js", worker],
    ["/app/mockServiceWorker.js", worker],
  ]);
  const server = createServer(({ url = "" }, response) => {
    const file = files.get(url);
    response.writeHead(file ? 200 : 404, { "Content-Type": file?.type ?? "text/plain" }).end(file?.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  let browser: Browser | undefined;
  const close = async () => {
    await browser?.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  try {
    browser = await launchBrowser();
    const page = await browserPage(browser);
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    return { page, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A file of the MSW under test; MSW_VERSION is an alias in `test/packages`. */
function library(path: string): string {
  const version = process.env.MSW_VERSION;
  const at = version === undefined ? import.meta.url : `${packages}/`;
  return join(dirname(createRequire(at).resolve(`${version ?? "msw"}/package.json`)), "lib", path);
}

async function bundle(): Promise<string> {
  const extension = process.env.MSW_VERSION === "msw-3" ? "js" : "mjs";
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("page.ts", import.meta.url))],
    bundle: true,
    write: false,
    format: "iife",
    target: "es2022",
    alias: { "msw/browser": library(`browser/index.${extension}`), msw: library(`core/index.${extension}`) },
  });
  return outputFiles[0]?.text ?? "";
}
