import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { openPage as browserPage, launchBrowser } from "../browser.ts";
import { packages } from "../install-packages.ts";
import { listen } from "../listen.ts";

/** A page that runs `page.ts`, served with the worker script of the MSW under test. */
export interface OpenPage {
  readonly page: Page;
  close(): Promise<void>;
}

/** Opens the page in Chromium. */
export async function openPage(): Promise<OpenPage> {
  const files = new Map([
    [
      "/",
      { type: "text/html", body: '<!doctype html><link rel="icon" href="data:,"><script src="/page.js"></script>' },
    ],
    ["/page.js", { type: "text/javascript", body: await bundle() }],
    [
      "/mockServiceWorker.js",
      { type: "text/javascript", body: await readFile(library("mockServiceWorker.js"), "utf8") },
    ],
  ]);
  const server = await listen(({ url = "" }, response) => {
    const file = files.get(url);
    response.writeHead(file ? 200 : 404, { "Content-Type": file?.type ?? "text/plain" }).end(file?.body);
  });
  let browser: Browser | undefined;
  const close = async () => {
    await browser?.close();
    await server[Symbol.asyncDispose]();
  };
  try {
    browser = await launchBrowser();
    const page = await browserPage(browser);
    await page.goto(`${server.url}/`);
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
