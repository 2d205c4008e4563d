/**
 * Finds wording that is not plain English, in everything that a person reads: `npx tsx scripts/phrases.ts`, or with the
 * files to look at. Advice: no check of the gate.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** What to avoid, and what to write instead. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/(?<!\bthere )\b(is|are) no (?!longer\b|more\b|need\b|such\b|way\b)[a-z]\w*/i, "is not a …, or: unknown …"],
  [/\bbeside\b/i, "alongside, compared with"],
  [/\bmend(s|ed|ing)?\b/i, "fix"],
  [/\bwhat (became|becomes|came|comes) of\b/i, "the outcome, the result"],
  [/\b(says|said|say) no\b/i, "refuses"],
  [/\b(go|goes|going|gone|went) wrong\b/i, "fail"],
  [/\bwho(so)?ever\b|\bwhatever\b/i, "a noun: every …, anyone who …"],
  [
    /\bto be had\b|\bof no account\b|\bgoes before\b|\bno lie\b/i,
    "available; unimportant; overrides; no false success",
  ],
  [/\b[2345]xx but\b/i, "except"],
  [/\bsurely\b/i, "certainly, or leave it out"],
  [/\bhears? (of|from)\b/i, "receives, is called with"],
  [/\bdoors?\b/i, "entry point"],
  [/\blean(s|ed|ing|t)? on\b/i, "rely on"],
  [/\b(is|are) told (by|apart)\b|\btold apart by\b/i, "recognized by"],
  [/\bwas answered (\d|with\b)/i, "returned"],
  [/\b(is|are|was|were) (not )?looked at\b/i, "read, checked"],
  [/\bstands? (in|above|below|there|elsewhere|only)\b/i, "is"],
  [/\bnoughts?\b/i, "zeros"],
  [/\bof an own\b/i, "of its own"],
  [/\bin the place of\b/i, "instead of, replaces"],
  [/\b(is|are|was|were) told\b/i, "receives, is called with; or name the actor"],
  [/\b(until|for|of|skips) so many\b/i, "a number of …"],
  [/^[^a-z]*so many (?!and\b)[a-z]+ (per|at|in|within|on)\b/i, "a number of …"],
  [/\bsaid twice\b|\bwhat cannot come\b|\bnames for ourselves\b/i, "redundant; unreachable; internal names"],
  [/\b(is|are) handed on\b|\bhands? on\b/i, "passes on, re-exports"],
  [/\bmakes? of (it|them)\b/i, "name the result"],
  [/\blets (it|them|him|her) go\b/i, "releases"],
  [/\bknows no\b/i, "does not import, does not know"],
  [/\bhow it is held\b/i, "how it is checked"],
  [/\ball else\b/i, "everything else"],
  [
    /behaviour|cancell(ed|ing)|\b(colour|neighbour)|\blicences?\b|misspelt|\btowards\b|\bgrey\b/i,
    "the American spelling: behavior, canceled, color, neighbor, license, misspelled, toward, gray",
  ],
  [/\b(author|custom|initial|minim|normal|optim|organ|recogn|serial)is(e|ed|es|ing|ation)\b/i, "…ize, …ization"],
  [/\b(HTTP|MSW|memory|worker) forms?\b|\bforms? of the mock\b/i, "adapter"],
];

/** A phrase at a place. */
export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly phrase: string;
  readonly advice: string;
}

/** Every phrase to avoid in a text. */
export function findPhrases(file: string, text: string): Finding[] {
  return text.split("\n").flatMap((content, index) =>
    PHRASES.flatMap(([pattern, advice]) => {
      const [phrase] = pattern.exec(content) ?? [];
      return phrase === undefined ? [] : [{ file, line: index + 1, phrase, advice }];
    }),
  );
}

/** Files of the repository that a person reads: prose, code with its comments and messages, pages, tests with titles. */
export function readableFiles(root: string): string[] {
  const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: root });
  const isReadable = (path: string) =>
    /\.(md|[cm]?[jt]sx?|html|ya?ml)$/.test(path) && !/^(scripts\/phrases|src\/contract\/openapi)\.ts$/.test(path);
  return files.toString().split("\n").filter(isReadable);
}

// The path of the program is the real one only in `import.meta`.
if (realpathSync(process.argv[1] as string) === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const named = process.argv.slice(2);
  const files = named.length > 0 ? named : readableFiles(root).map((path) => root + path);
  for (const file of files) {
    for (const { line, phrase, advice } of findPhrases(file, readFileSync(file, "utf8"))) {
      console.log(`${file.replace(root, "")}:${line}: "${phrase}": write "${advice}"`);
      process.exitCode = 1;
    }
  }
}
