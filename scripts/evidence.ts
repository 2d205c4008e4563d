import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The page whose sections tests and measurements write. */
export const evidencePage = fileURLToPath(new URL("../docs/evidence.md", import.meta.url));

/** The page with the text of one section, which is between two marks. */
export function evidenceWith(section: string, text: string): string {
  const page = readFileSync(evidencePage, "utf8");
  const [before, after] = page.split(new RegExp(`(?<=<!-- ${section} -->\n)[\\s\\S]*(?=<!-- /${section} -->)`));
  if (after === undefined) throw new Error(`docs/evidence.md has no marks for the section ${section}`);
  return `${before}\n${text.trim()}\n\n${after}`;
}
