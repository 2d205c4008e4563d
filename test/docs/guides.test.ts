import { formatWithOptions } from "node:util";
import { afterEach, describe, expect, it, vi } from "vitest";
import { absolute, blocksOf, filesIn, passageOf, read } from "./blocks.ts";

const pages = ["README.md", ...filesIn("docs", ".md")];
const code = [...filesIn("docs/code", ".ts"), ...filesIn("examples", ".ts")];

/** A file that no test can run says so, and why, in its first line; the compiler checks it as any other. */
const NOT_RUN = /^\/\/ Not run: /;

describe("the code of the guides", () => {
  const passages = code.map((path) => passageOf(read(path)));
  const blocks = pages.flatMap(blocksOf).filter(({ language }) => /^(ts|js|mjs|typescript|javascript)$/.test(language));

  it.each(blocks)("stands in a file that is type-checked and run: $place", ({ place, code }) => {
    const isKnown = passages.some((passage) => passage.includes(passageOf(code)));
    expect(isKnown, `${place}: put this block into a file of docs/code or examples, word for word`).toBe(true);
  });
});

describe("the programs of the guides", () => {
  const programs = filesIn("docs/code", ".ts").filter((path) => /^docs\/code\/[^/]+$/.test(path));

  afterEach(() => vi.restoreAllMocks());

  it.each(programs.filter((path) => !NOT_RUN.test(read(path))))("%s prints what its comments say", async (path) => {
    const printed: string[] = [];
    vi.spyOn(console, "log").mockImplementation((...values) => printed.push(formatWithOptions({}, ...values)));
    await import(/* @vite-ignore */ absolute(path));
    const claims = Array.from(read(path).matchAll(/console\.log\(.*\); \/\/ (.*)$/gm), ([, text]) => text);
    expect(printed.filter((line) => claims.includes(line))).toEqual(claims);
  });
});
