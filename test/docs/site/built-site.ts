import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../../site/", import.meta.url));

/** Every page of the built site, by its path in it. */
export function pagesOfSite(): string[] {
  return filesOfSite().filter((path) => path.endsWith(".html"));
}

/** The broken links of a page, as `page -> link`. Links to other sites are not checked. */
export function brokenLinks(page: string): string[] {
  const files = new Set(filesOfSite());
  const broken: string[] = [];
  for (const link of linksOf(page)) {
    const { pathname, hash, host } = new URL(link, `http://site/${page}`);
    if (host !== "site") continue;
    const target = decodeURIComponent(pathname.slice(1)) || "index.html";
    const anchor = decodeURIComponent(hash.slice(1));
    const isThere = files.has(target) && (anchor === "" || !target.endsWith(".html") || anchorsOf(target).has(anchor));
    if (!isThere) broken.push(`${page} -> ${link}`);
  }
  return broken;
}

function filesOfSite(): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" });
}

/** The addresses that a page links to, as it writes them. */
export function linksOf(page: string): string[] {
  return attributesOf(page, /\s(?:href|src)="([^"]*)"/g).map((link) => link.replaceAll("&amp;", "&"));
}

function anchorsOf(page: string): Set<string> {
  return new Set(attributesOf(page, /\sid="([^"]*)"/g));
}

function attributesOf(page: string, pattern: RegExp): string[] {
  return Array.from(readFileSync(folder + page, "utf8").matchAll(pattern), ([, value = ""]) => value);
}
