import ts from "typescript";
import { describe, expect, it } from "vitest";
import { blocksOf, read } from "./blocks.ts";
import { promises, provenPages } from "./promises.ts";

/** A sentence that says how many, never, always, only, at most, or what ends or fails; each row of a table promises, too. */
const PROMISES = /\b(?:never|always|only|at most|at least|ends?|fails?)\b|\d/;

/** The text of a page in one line, without its code and the targets of its links. */
function textOf(page: string): string {
  const prose = read(page)
    .replace(/^ *```[\s\S]*?^ *```$/gm, "\n\n")
    .replace(/<!--[\s\S]*?-->/g, "");
  return prose.replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1");
}

/** The rows of the tables of a page, without their headings, and its sentences. */
function statementsOf(page: string): string[] {
  const text = textOf(page).replace(/^#.*$/gm, "");
  const rows = Array.from(text.matchAll(/^\|(?:[ :-]+\|)+\n((?:\|.*\n?)+)/gm), ([, body = ""]) =>
    body.trim().split("\n"),
  );
  const paragraphs = text
    .replace(/^\|.*$/gm, "\n")
    .split(/\n\s*\n|\n(?=- |\d+\. )/)
    .map((paragraph) =>
      paragraph
        .replace(/^(?:- |\d+\. )/, "")
        .replace(/\s+/g, " ")
        .trim(),
    );
  const sentences = paragraphs.flatMap((paragraph) => paragraph.split(/(?<=[.:?!](?:\*\*)?) (?=[A-Z`*“"'])/));
  return [...rows.flat(), ...sentences.filter((sentence) => PROMISES.test(sentence.replace(/`[^`]*`|RFC \d+/g, "")))];
}

/**
 * The titles of the tests of a file, as its source has them: the first argument of a call, the name of a function in a
 * table, or a field called `name`. Of a page, the lines of its programs.
 */
function proofsOf(file: string): string[] {
  if (file.endsWith(".md"))
    return blocksOf(file).flatMap(({ content }) => content.split("\n").map((line) => line.trim()));
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.arguments.some(ts.isFunctionLike)) {
      const [title] = node.arguments;
      if (title && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title))) {
        titles.push(title.getText().slice(1, -1));
      }
    }
    if (ts.isPropertyAssignment(node)) {
      const { name, initializer } = node;
      if (ts.isStringLiteral(name) && ts.isFunctionLike(initializer)) titles.push(name.text);
      if (name.getText() === "name" && ts.isStringLiteral(initializer)) titles.push(initializer.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true));
  return titles;
}

describe.each(Object.entries(promises))("%s", (page, proofs) => {
  const begins = (texts: readonly string[], beginning: string) => texts.some((text) => text.startsWith(beginning));

  it("has each sentence that a test proves", () => {
    const text = textOf(page).replace(/\s+/g, " ");
    const sentences = Object.values(proofs).flatMap(Object.keys);
    expect(sentences.filter((sentence) => !text.includes(sentence))).toEqual([]);
  });

  it.each(Object.entries(proofs))("%s has each test that proves a sentence", (file, titles) => {
    const found = proofsOf(file);
    expect(Object.values(titles).filter((title) => !begins(found, title))).toEqual([]);
  });
});

it.each(provenPages)("each sentence of %s that promises has a proof", (page) => {
  const proven = Object.values(promises[page] ?? {}).flatMap(Object.keys);
  const isProven = (statement: string) =>
    proven.some((beginning) => statement.replace(/^\*\*/, "").startsWith(beginning));
  expect(statementsOf(page).filter((statement) => !isProven(statement))).toEqual([]);
});
