import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { findPhrases, readableFiles } from "../../scripts/phrases.ts";
import { declaredOperations } from "../declared-operations.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

const pages = readableFiles(root).map((file) => ({ file, text: readFileSync(root + file, "utf8") }));
const findings = pages.flatMap(({ file, text }) => findPhrases(file, text));

it("no page is empty", () => {
  expect(pages.filter(({ text }) => text.trim() === "").map(({ file }) => file)).toEqual([]);
});

it("everything that a person reads is in plain English", () => {
  expect(findings.map(({ file, line, phrase, advice }) => `${file}:${line}: "${phrase}": write "${advice}"`)).toEqual(
    [],
  );
});

it("no line of prose in Markdown has more than 120 characters", () => {
  // Reports that a program writes; and in other pages code, tables, images, and the versions of a measurement.
  const written = pages.filter(
    ({ file }) => /\.md$/.test(file) && !/^(bench\/(results|profiles)|etc\/.*\.api)\.md$/.test(file),
  );
  const long = written.flatMap(({ file, text }) => {
    const lines = text.replace(/^ *```.*?^ *```$/gms, "").split("\n");
    return lines
      .filter((line) => line.length > 120 && !/^(\||!\[)|\d{4}-\d\d-\d\d/.test(line))
      .map((line) => `${file}: ${line}`);
  });
  expect(long).toEqual([]);
});

it("a page says that the service has one operation, and none that reads a plant, only while that is so", () => {
  const isGuide = (file: string) =>
    /^(README|docs|examples|src|mock)\b/.test(file) && !file.startsWith("docs/decisions/");
  const saying = pages.filter(
    ({ file, text }) =>
      isGuide(file) && /\bshows\s+one\s+operation\b|\bno\s+(call|operation\s+that)\s+reads\b/.test(text),
  );
  const files = saying.map(({ file }) => file);
  expect(files.length > 0, `to correct: ${files.join(", ")}`).toBe(declaredOperations.length === 1);
});

it("a phrase to avoid is found with its place and a better one", () => {
  expect(findPhrases("page.md", "Fine.\ntimeout is no option; there are others")).toEqual([
    { file: "page.md", line: 2, phrase: "is no option", advice: "is not a …, or: unknown …" },
  ]);
});

it.each(["its behaviour", "was cancelled", "is recognised", "the organisation", "a licence"])(
  "%s is not the American spelling",
  (text) => {
    expect(findPhrases("page.md", text)).toHaveLength(1);
  },
);

it.each(["There is no browser: install one.", "It is no longer needed.", "besides"])("%s is plain English", (text) => {
  expect(findPhrases("page.md", text)).toEqual([]);
});
