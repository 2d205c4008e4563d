import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { posix } from "node:path";

/** Where an assistant finds the pages: each as Markdown next to its HTML, a list of them, and the guides in one file. */
export function writeForAssistants(site: {
  readonly pages: string;
  readonly outDir: string;
  readonly homepage: string;
  /** A page in one sentence. */
  readonly describe: (page: string) => string;
}): void {
  const { pages, outDir, homepage, describe } = site;
  const read = (path: string) => readFileSync(`${pages}/${path}`, "utf8");
  const write = (path: string, text: string) => writeFileSync(`${outDir}/${path}`, text);

  cpSync(pages, outDir, { recursive: true, filter: (path) => !/\.\w+$/.test(path) || path.endsWith(".md") });
  // Its links are those of the file in the repository.
  write("index.md", read("index.md").replaceAll("](../docs/", "](docs/"));

  /** The text of a page with addresses instead of relative links. */
  const withAddresses = (text: string, folder: string) =>
    text.replace(/\]\((?!\w+:|#)([^)\s]+)\)/g, (_, link) => `](${homepage}${posix.join(folder, link)})`);
  const titleOf = (page: string) => /^# (.+)$/m.exec(read(page))?.[1];
  const decisions = readdirSync(`${pages}/docs/decisions`).map((file) => `docs/decisions/${file}`);
  const others = ["docs/evidence.md", ...decisions, "CHANGELOG.md"];
  const lines = others.map((page) => `- [${titleOf(page)}](${homepage}${page}): ${describe(page)}`);
  const list = withAddresses(readFileSync("../llms.txt", "utf8"), "");
  write("llms.txt", `${list}\n## Optional\n\n${lines.join("\n")}\n`);

  const guides = Array.from(list.matchAll(/^- .*\((\S+\.md)\)/gm), ([, address = ""]) =>
    address.slice(homepage.length),
  );
  const texts = guides.map((page) => `<!-- ${homepage}${page} -->\n\n${withAddresses(read(page), "docs")}`);
  write("llms-full.txt", [list, ...texts].join("\n"));
}
