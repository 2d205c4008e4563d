import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { posix } from "node:path";

interface Site {
  readonly pages: string;
  readonly outDir: string;
  readonly homepage: string;
  readonly repository: string;
  /** A page in a sentence. */
  readonly describe: (page: string) => string;
}

/** What an assistant reads: each page as Markdown next to its HTML, a list of them, and the guides in one file. */
export function writeForAssistants({ pages, outDir, homepage, repository, describe }: Site): void {
  const read = (page: string) => readFileSync(`${pages}/${page}`, "utf8");
  const write = (path: string, text: string) => writeFileSync(`${outDir}/${path}`, text);
  const files = readdirSync(pages, { recursive: true, encoding: "utf8" }).map((path) => path.replaceAll("\\", "/"));

  /** Makes each relative link an address: that of a page, or of a file in the repository. */
  function withAddresses(text: string, folder: string): string {
    return text.replace(/(?<!\\)\]\((?!\w+:|#|\/)([^)\s]+)\)/g, (_, link: string) => {
      const target = posix.join(folder, link).replace(/^(docs\/.*)README\.md/, "$1index.md");
      const isPage = existsSync(`${pages}/${target.replace(/#.*/, "")}`);
      return `](${isPage ? homepage : `${repository}/blob/main/`}${target})`;
    });
  }
  // The home page is site/index.md in the repository.
  const markdownOf = (page: string) => withAddresses(read(page), page === "index.md" ? "site" : posix.dirname(page));
  for (const page of files.filter((path) => path.endsWith(".md"))) write(page, markdownOf(page));

  const titleOf = (page: string) => /^# (.+)$/m.exec(read(page))?.[1];
  const others = [
    "docs/architecture.md",
    "docs/evidence.md",
    ...files.filter((path) => path.startsWith("docs/decisions/")),
    "CHANGELOG.md",
  ];
  const lines = others.map((page) => `- [${titleOf(page)}](${homepage}${page}): ${describe(page)}`);
  const list = withAddresses(readFileSync("../llms.txt", "utf8"), "");
  write("llms.txt", `${list}\n## Optional\n\n${lines.join("\n")}\n`);

  const guides = Array.from(list.matchAll(/^- .*\((\S+\.md)\)/gm), ([, address = ""]) =>
    address.slice(homepage.length),
  );
  write(
    "llms-full.txt",
    [list, ...guides.map((page) => `<!-- ${homepage}${page} -->\n\n${markdownOf(page)}`)].join("\n"),
  );
}
