/** Prints the section of a version in CHANGELOG.md, without its heading: `npx tsx scripts/release-notes.ts 1.2.3`. */
import { readFileSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * The text below the heading of a version, up to the next version.
 *
 * @throws Error if the changelog has no such heading, or nothing below it.
 */
export function releaseNotes(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.split(/\s/, 1)[0] === version);
  const notes = section?.slice(section.indexOf("\n")).trim();
  if (!notes) throw new Error(`CHANGELOG.md has no section of ${version}: move the lines under "Unreleased" to one.`);
  return notes;
}

// The path of the program is the real one only in `import.meta`.
if (realpathSync(process.argv[1] as string) === fileURLToPath(import.meta.url)) {
  const changelog = readFileSync(new URL("../CHANGELOG.md", import.meta.url), "utf8");
  console.log(releaseNotes(changelog, process.argv[2] ?? ""));
}
