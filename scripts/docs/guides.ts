import { readdirSync, readFileSync } from "node:fs";

/** A section of the index of the guides, with its pages in order. */
export interface Section {
  readonly heading: string;
  /** Paths in `docs/`, without the extension. */
  readonly pages: string[];
}

/** The guides in the order and under the headings of `docs/README.md`. A page that it does not list is an error. */
export function readSections(docs: string): Section[] {
  const sections = readFileSync(`${docs}README.md`, "utf8")
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      heading: section.split("\n", 1)[0] as string,
      pages: Array.from(section.matchAll(/\]\(([\w/-]+)\.md\)/g), ([, page = ""]) => page),
    }));
  const listed = new Set(sections.flatMap(({ pages }) => pages));
  const missing = readdirSync(docs, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".md") && path !== "README.md" && !listed.has(path.slice(0, -3)));
  if (missing.length > 0) throw new Error(`docs/README.md does not list ${missing.join(", ")}: add a line for each.`);
  return sections;
}

/** The path of a page on the site, by the name that TypeDoc gives it: its file, on Windows with backslashes. */
export function pathOf(document: string): string {
  return document.replaceAll("\\", "/").replace(/^docs\/|\.github\/|\/README$/g, "");
}
