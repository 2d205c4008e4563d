import { readFileSync } from "node:fs";

/*
 * The second run. A module constant is evaluated at load, before any test begins, so that no test is known
 * to reach it: Stryker omits such mutants from the first run, and underestimates those in a module that a test
 * loads again. Here each of them runs every test of its module.
 */
const read = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
const base = read("stryker.config.json");
const { files } = read("../../reports/mutation.json");

/** Lines and the columns of a report count from 1; the columns of `mutate` count from 0. */
const range = (file, { start, end }) => `${file}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`;

const left = Object.entries(files).flatMap(([file, { mutants }]) =>
  mutants
    .filter(({ static: isStatic, status }) => isStatic && status !== "Killed" && status !== "Timeout")
    .map(({ location }) => range(file, location)),
);

export default {
  ...base,
  mutate: [...new Set(left)],
  coverageAnalysis: "off",
  ignoreStatic: false,
  vitest: { ...base.vitest, related: true },
  jsonReporter: { fileName: "reports/mutation-static.json" },
};
