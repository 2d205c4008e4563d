/**
 * Prints the section of a version in CHANGELOG.md, without its heading: `npx tsx scripts/release-notes.ts 1.2.3`. Fails
 * if there is no such section, or nothing below its heading.
 */
import { readFileSync } from "node:fs";

const [version = ""] = process.argv.slice(2);
const changelog = readFileSync(new URL("../CHANGELOG.md", import.meta.url), "utf8");
const section = changelog.split(/^## /m).find((text, index) => index > 0 && text.split(/\s/, 1)[0] === version);
const notes = section?.slice(section.indexOf("\n")).trim();
if (!notes) throw new Error(`CHANGELOG.md has no section of ${version}: move the lines under "Unreleased" to one.`);
console.log(notes);
