import { expect, it } from "vitest";
import { pathOf } from "../../scripts/docs/guides.ts";

it.each([
  ["docs/errors", "errors"],
  ["docs/decisions/0001-transport", "decisions/0001-transport"],
  ["examples/vitest/README", "examples/vitest"],
  [".github/SECURITY", "SECURITY"],
])("%s has the same path on the site if it is built on Windows", (document, path) => {
  expect(pathOf(document)).toBe(path);
  expect(pathOf(document.replaceAll("/", "\\"))).toBe(path);
});
