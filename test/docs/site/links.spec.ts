import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import { filesIn } from "../blocks.ts";

const folder = fileURLToPath(new URL("../../../site/dist/", import.meta.url));
const files = new Set(
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => path.replaceAll("\\", "/")),
);
// GitHub Pages shows this one at any address.
const pages = [...files].filter((path) => path.endsWith(".html") && path !== "404.html");
const html = new Map(pages.map((page) => [page, readFileSync(folder + page, "utf8")]));

function attributesOf(page: string, pattern: RegExp): string[] {
  return Array.from(html.get(page)?.matchAll(pattern) ?? [], ([, value = ""]) => value.replaceAll("&amp;", "&"));
}

const anchors = new Map(pages.map((page) => [page, new Set(attributesOf(page, /\sid="([^"]*)"/g))]));
const { pathname: base, host } = new URL(manifest.homepage);

function isBroken(page: string, link: string): boolean {
  const url = new URL(link, `${manifest.homepage}${page}`);
  if (url.host !== host) return false;
  const path = decodeURIComponent(url.pathname.slice(base.length));
  const target = [path, `${path}.html`, `${path}index.html`].find((file) => files.has(file));
  const anchor = decodeURIComponent(url.hash.slice(1));
  return target === undefined || (anchor !== "" && html.has(target) && !anchors.get(target)?.has(anchor));
}

it("every link of the site leads to a page, and to a heading in it", () => {
  const links = pages.flatMap((page) =>
    attributesOf(page, /\s(?:href|src)="([^"]*)"/g).map((link) => ({ page, link })),
  );
  expect(links.length).toBeGreaterThan(1000);
  expect(links.filter(({ page, link }) => isBroken(page, link))).toEqual([]);
});

it("every page is Markdown too, and each link in it, in llms.txt and in llms-full.txt leads to a file", () => {
  const texts = [...files].filter((path) => /\.md$|^llms.*\.txt$/.test(path));
  expect(texts).toEqual(expect.arrayContaining(["llms.txt", "llms-full.txt"]));
  const sources = pages
    .map((page) => page.replace(/html$/, "md"))
    .filter((page) => !/^(?:try|reference\/index)/.test(page));
  expect(sources.filter((page) => !files.has(page))).toEqual([]);
  const links = texts.flatMap((page) => {
    const text = readFileSync(folder + page, "utf8").replace(/^ *```[\s\S]*?^ *```$/gm, "");
    return Array.from(text.matchAll(/(?<!\\)\]\(([^)\s]+)\)/g), ([, link = ""]) => ({ page, link }));
  });
  expect(links.length).toBeGreaterThan(500);
  expect(links.filter(({ page, link }) => isBroken(page, link))).toEqual([]);
});

it("llms.txt describes each guide and decision in words of its own", () => {
  const lines = readFileSync(`${folder}llms.txt`, "utf8").matchAll(/^- \[.+\]\(\S+\.md\): (.{15,})$/gm);
  const descriptions = Array.from(lines, ([, description]) => description);
  const guides = filesIn("docs", ".md").filter((path) => path !== "docs/README.md");
  expect(new Set(descriptions).size).toBe(guides.length + 1); // and the changelog
});

it("every guide is a page, and its heading and first words are title and description", () => {
  const guides = filesIn("docs", ".md").map((path) => path.replace("README", "index").replace(/md$/, "html"));
  expect(pages).toEqual(expect.arrayContaining(guides));
  for (const page of pages.filter((path) => !path.startsWith("try/"))) {
    const [title] = attributesOf(page, /<title>(.+?)<\/title>/g);
    const [description] = attributesOf(page, /<meta name="description" content="([^"]*)">/g);
    expect({ page, title, description }).toEqual({
      page,
      title: expect.stringMatching(/plant-store-client$/),
      description: expect.stringMatching(/^(?=.{15})[^`[\]*]+$/),
    });
  }
});
