/*
 * How long the search for a token takes in 1 MiB of near misses, compared with a plain search of the same text
 * in either case.
 *
 * npx tsx bench/redaction.mjs [--check]
 *
 * Both take turns; a ratio is the median of the rounds. --check fails if one is more than five.
 */
import { parseArgs } from "node:util";
import { createRedact } from "../src/checks/redaction/redact-text.ts";
import { markdownTable } from "./lib/report.mjs";
import { median } from "./lib/statistics.mjs";

const TOKEN = "Zm9v/YmFy+cXV4L2Jhei9xdXV4+Zm8/YmFyK2Jheg3QrcXV4Lw==";
const SIZE = 2 ** 20;
const ROUNDS = 40;
const LIMIT = 5;

const at = (index) => `${TOKEN.slice(0, index)}!${TOKEN.slice(index + 1)}`;
const unicode = (text) => text.replace(/[+/=]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
const percent = (text) => [...text].map((character) => `%${character.charCodeAt(0).toString(16)}`).join("");

const ROWS = [
  { name: "all but the first character", near: at(0) },
  { name: "all but one in the middle", near: at(25) },
  { name: "all but the last character", near: at(TOKEN.length - 1) },
  { name: "the same, `+`, `/` and `=` escaped as in JSON", near: unicode(at(25)) },
  { name: "the same, each character percent-encoded", near: percent(at(25)) },
];

const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });
const redact = createRedact([TOKEN]);
const lower = TOKEN.toLowerCase();

function ms(run) {
  const start = performance.now();
  run();
  return performance.now() - start;
}

const measured = ROWS.map(({ name, near }) => {
  const text = `${near} `.repeat(Math.ceil(SIZE / near.length)).slice(0, SIZE);
  if (redact(text) !== text) throw new Error(`${name}: a near miss was redacted`);
  const rounds = Array.from({ length: ROUNDS }, () => [
    ms(() => redact(text)),
    ms(() => text.toLowerCase().includes(lower)),
  ]);
  const [own, other] = [0, 1].map((side) => median(rounds.map((round) => round[side])));
  const ratio = median(rounds.map(([redaction, search]) => redaction / search));
  return { name, own, other, ratio, isMet: ratio <= LIMIT };
});

const columns = ["near misses", "redaction, ms", "plain search, ms", "ratio", "limit"];
const rows = measured.map(({ name, own, other, ratio }) => {
  const figures = [own, other, ratio].map((figure) => figure.toFixed(1));
  return [name, ...figures, LIMIT];
});
console.log(markdownTable({ columns, rows }));
if (values.check && !measured.every(({ isMet }) => isMet)) process.exitCode = 1;
