import { expect, test } from "vitest";
import { withoutGeneratedSources } from "../../scripts/source-map.ts";

const PAGE = "../mock/http/console/page-files.ts";

const omit = (sources: string[], sourcesContent?: (string | null)[]) =>
  withoutGeneratedSources(JSON.stringify({ version: 3, sources, sourcesContent, mappings: "AAAA" }), "index.js.map");

test("a published source map has every source except the generated page", () => {
  expect(JSON.parse(omit(["../src/index.ts", PAGE], ["export {};", "the page"]))).toEqual({
    version: 3,
    sources: ["../src/index.ts", PAGE],
    sourcesContent: ["export {};", null],
    mappings: "AAAA",
  });
});

test.each<[string, (string | null)[] | undefined, string]>([
  ["null", ["export {};", null], "null"],
  ["left out", ["export {};"], "undefined"],
])("the build fails if the code of a source is %s", (_what, sourcesContent, seen) => {
  expect(() => omit(["../src/index.ts", "../src/client.ts"], sourcesContent)).toThrow(
    `index.js.map has no code of ../src/client.ts: sourcesContent[1] is ${seen}`,
  );
});

test("the build fails if a source map has no code at all", () => {
  expect(() => omit(["../src/index.ts"])).toThrow("index.js.map has no code of ../src/index.ts");
});
