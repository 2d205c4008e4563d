/** Prints the words of README, guides and decisions: `npx tsx scripts/words.ts`. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The words of each page that a person wrote, code and tables included. */
function countWords(): { page: string; words: number }[] {
  const docs = readdirSync(`${root}docs`, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".md"));
  const pages = docs.map((path) => `docs/${path.replaceAll("\\", "/")}`).filter((page) => page !== "docs/evidence.md");
  return ["README.md", ...pages.sort()].map((page) => {
    const words = readFileSync(root + page, "utf8")
      .split(/\s+/)
      .filter(Boolean).length;
    return { page, words };
  });
}

const pages = countWords();
for (const { page, words } of pages) console.log(`${words}\t${page}`);
const total = pages.reduce((sum, { words }) => sum + words, 0);
console.log(`${total} words in ${pages.length} pages`);
