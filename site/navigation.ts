import { readdirSync, readFileSync } from "node:fs";

/** A section of the index of the guides, with its pages in order. */
export interface Section {
  readonly text: string;
  readonly pages: readonly { readonly text: string; readonly file: string }[];
}

/** The guides, in the order and under the headings of `docs/README.md`. A page that it does not list is an error. */
export function readSections(root: string): Section[] {
  const sections = readFileSync(`${root}docs/README.md`, "utf8")
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      text: section.split("\n", 1)[0] ?? "",
      pages: Array.from(section.matchAll(/\[([^\]]+)\]\(([\w/-]+\.md)\)/g), ([, text = "", path]) => ({
        text,
        file: `docs/${path}`,
      })),
    }));
  const listed = sections.flatMap(({ pages }) => pages.map(({ file }) => file));
  const written = readdirSync(`${root}docs`, { recursive: true, encoding: "utf8" })
    .map((path) => `docs/${path.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".md") && path !== "docs/README.md");
  const odd = [...listed.filter((file) => !written.includes(file)), ...written.filter((file) => !listed.includes(file))];
  if (odd.length > 0) throw new Error(`docs/README.md and the folder disagree about ${odd.join(", ")}.`);
  return sections;
}
