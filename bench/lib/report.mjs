import { readFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";

/** A table as Markdown; numbers to the right. */
export function markdownTable({ columns, rows }) {
  const widths = columns.map((column, i) =>
    Math.max(3, ...[column, ...rows.map((row) => `${row[i]}`)].map((c) => c.length)),
  );
  const line = (cells) =>
    `| ${cells.map((cell, i) => (i ? `${cell}`.padStart(widths[i]) : `${cell}`.padEnd(widths[i]))).join(" | ")} |`;
  const rule = `|${widths.map((width, i) => (i ? `${"-".repeat(width + 1)}:` : "-".repeat(width + 2))).join("|")}|`;
  return [line(columns), rule, ...rows.map(line)].join("\n");
}

/** Whether a target is met; a target has `atMost` or `atLeast`. */
export function isMet({ value, atMost, atLeast }) {
  return atMost !== undefined ? value <= atMost : value >= atLeast;
}

/** A section as Markdown: its table, its targets, and where it was measured. */
export function renderSection({ note, columns, rows, targets = [], command, versions }) {
  const date = new Date().toISOString().slice(0, 10);
  const parts = [note, markdownTable({ columns, rows }), describeTargets(targets)];
  return [...parts.filter(Boolean), `\`${command}\`: ${date}, ${machine()}. ${versions}.`].join("\n\n");
}

/** How many targets are met; of each other one its figure. */
function describeTargets(targets) {
  const missed = targets.filter((target) => !isMet(target));
  const met = `${targets.length - missed.length} of ${targets.length} targets are met.`;
  if (targets.length === 0) return "";
  return missed.length === 0 ? met : [met, "", ...missed.map(describeTarget)].join("\n");
}

/** The median of the runs, in brackets the least and the greatest, and the bound. */
function describeTarget({ figure, value, least, greatest, atMost, atLeast }) {
  const bound = atMost !== undefined ? `at most ${atMost}` : `at least ${atLeast}`;
  return `- ${figure}: ${value.toFixed(3)} (${round(least)} to ${round(greatest)}); target: ${bound}, **missed**`;
}

/** Two decimals for small numbers, fewer for large ones. */
export function round(value) {
  if (Math.abs(value) >= 100) return value.toFixed(0);
  return value.toFixed(Math.abs(value) >= 20 ? 1 : 2);
}

/** Generic facts of the machine; nothing that names it. */
function machine() {
  const [{ model }] = cpus();
  return `${cpus().length} × ${model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${process.arch}`;
}

/** `name version` of packages of bench/package.json, after the Node that everything runs on. */
export function versionsOf(names) {
  return ["Node 24.21.0", ...names.map((name) => `${name} ${version(name)}`)].join(", ");
}

function version(name) {
  const file = new URL(`../node_modules/${name}/package.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")).version;
}
