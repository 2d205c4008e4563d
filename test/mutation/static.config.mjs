import { readFileSync } from "node:fs";

/*
 * The second run. A constant of a module is evaluated when it is loaded, before any test begins, so that no test is known
 * to reach it: Stryker leaves such mutants out of the first run, and makes too little of those in a module that a test
 * loads once more. Here each of them has every test of its module.
 */
const read = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
const base = read("stryker.config.json");
const { files } = read("../../reports/mutation.json");

/** Lines count from 1, and so do the columns of a report; the columns of `mutate` count from 0. */
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
