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

/** Targets as a table: the median of the runs, and in brackets the least and the greatest. */
export function targetTable(targets) {
  return {
    columns: ["figure", "target", "measured", "met"],
    rows: targets.map((target) => {
      const { figure, atMost, atLeast, unit } = target;
      const suffix = unit ? ` ${unit}` : "";
      const bound = atMost !== undefined ? `≤ ${atMost}` : `≥ ${atLeast}`;
      return [
        figure,
        `${bound}${suffix}`,
        `${measured(target)}${suffix}${spread(target)}`,
        isMet(target) ? "yes" : "**no**",
      ];
    }),
  };
}

/** Three decimals if two would hide on which side of the bound a value is. */
function measured(target) {
  const text = round(target.value);
  return isMet({ ...target, value: Number(text) }) === isMet(target) ? text : target.value.toFixed(3);
}

function spread({ least, greatest }) {
  return least === undefined ? "" : ` (${round(least)} to ${round(greatest)})`;
}

/** Two decimals for small numbers, fewer for large ones. */
export function round(value) {
  if (Math.abs(value) >= 100) return value.toFixed(0);
  return value.toFixed(Math.abs(value) >= 20 ? 1 : 2);
}

/** A section as Markdown. */
export function renderSection({ title, date, versions, tables, targets }, level = "##") {
  const parts = [`${level} ${title}`, `${date}. ${versions}`];
  for (const table of tables) {
    parts.push(`${level}# ${table.title}`);
    if (table.note) parts.push(table.note);
    parts.push(markdownTable(table));
  }
  if (targets.length) parts.push(`${level}# Targets`, markdownTable(targetTable(targets)));
  return parts.join("\n\n");
}

/** Generic facts of the machine; nothing that names it. */
export function machine() {
  const [{ model }] = cpus();
  return `${cpus().length} × ${model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${process.arch}`;
}

/** `name version` of packages of bench/package.json. */
export function versionsOf(names) {
  return names.map((name) => `${name} ${version(name)}`).join(", ");
}

function version(name) {
  const file = new URL(`../node_modules/${name}/package.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")).version;
}
