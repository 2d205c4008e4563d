import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";
import { WAIT_MS } from "../time-limits.ts";

// Uses the checker's JavaScript build, which runs everywhere; by default it looks for a native one.
process.env.RECHECK_BACKEND = "pure";
const { check } = await import("recheck");

// Uses only the automaton: the checker's other method is random, and gives different results each time.
const OPTIONS = { checker: "automaton", timeout: WAIT_MS } as const;

const root = fileURLToPath(new URL("../..", import.meta.url));

interface Pattern {
  /** The file of the pattern. */
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

/** Every regular expression literal of a file. */
async function patternsOf(file: string): Promise<Pattern[]> {
  const found: Pattern[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const [, source, flags] = /^\/(.*)\/(\w*)$/s.exec(node.text) as unknown as [string, string, string];
      found.push({ file, source, flags });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, await readFile(join(root, file), "utf8"), ts.ScriptTarget.Latest, true));
  return found;
}

async function sources(): Promise<string[]> {
  const folders = await Promise.all(
    ["src", "mock"].map(async (folder) => {
      const files = await readdir(join(root, folder), { recursive: true });
      return files.filter((file) => file.endsWith(".ts")).map((file) => join(folder, file));
    }),
  );
  return folders.flat().sort();
}

const patterns = (await Promise.all((await sources()).map(patternsOf))).flat();

test.each(patterns)("$file: /$source/$flags takes linear time", async ({ source, flags }) => {
  expect(await check(source, flags, OPTIONS)).toMatchObject({ status: "safe" });
});

// V8 remembers each repetition of a group, unless it is fixed text: some millions of them overflow its stack.
const REPEATED_GROUP = /(?<!\\)\)(?:[*+]|\{\d+,\})/;
const FIXED_TEXT = /\(\?:\w+\)[*+]/g;
const CLASS = /\[(?:\\.|[^\]\\])*\]/g;

test("no pattern repeats a group without limit, except in a header, which never has such a length", () => {
  const repeating = patterns.filter(({ source }) =>
    REPEATED_GROUP.test(source.replace(FIXED_TEXT, "").replace(CLASS, "x")),
  );
  expect(repeating.map(({ file, source }) => [file, source])).toEqual([
    ["src/checks/http/retry-after.ts", "^\\d+(?:, *\\d+)*$"],
  ]);
});

// Those of a token are tried with bodies that are crafted to be slow: test/client/redaction.test.ts.
test("no pattern is built at run time, except that of a random mark and those of a token", async () => {
  const texts = (await sources()).map(async (file) => [file, await readFile(join(root, file), "utf8")] as const);
  const made = (await Promise.all(texts)).filter(([, text]) => /\bRegExp\(/.test(text));
  expect(made.map(([file]) => file)).toEqual(["mock/http/exact-json.ts", "src/checks/redaction/redact-text.ts"]);
});
