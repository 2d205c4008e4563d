import { describe, expect, it } from "vitest";
import { INT64_MAX } from "../../int64-values.ts";
import { mustBe } from "../../rules-in-words.ts";
import { useFolder } from "../../use-folder.ts";
import { refused, start } from "./process-host.ts";

const { write: file } = useFolder();

describe("a file of initial plants", () => {
  const plantsOf = async (...paths: string[]) => {
    const { url, end } = await start(["--port", "0", ...paths.map((path) => `--initial-plants=${path}`)]);
    const text = await (await fetch(`${url}/_mock/plants`)).text();
    expect(await end()).toBe(0);
    return text;
  };

  it("is NDJSON, or a JSON array, and ids are exact", async () => {
    const lines = `\uFEFF{"id":${INT64_MAX},"name":"a"}\r\n\n \t\n{"id":1e2,"name":"b","tag":"t"}\r`;
    const plants = `{"size":2,"plants":[{"id":${INT64_MAX},"name":"a"},{"id":100,"name":"b","tag":"t"}]}`;
    const array = ` [{"id":${INT64_MAX},"name":"a","tag":null},{"id":1e2,"name":"b","tag":"t"}]\n`;
    const files = [file("s.ndjson", lines), file("s.JSONL", lines), file("s.json", array)];
    for (const path of files) expect(await plantsOf(path)).toBe(plants);
    for (const empty of [file("e.ndjson", "\n"), file("e.json", "[]")]) {
      expect(await plantsOf(empty)).toBe('{"size":0,"plants":[]}');
    }
  });

  it("can be given several times: the plants of every file are there, in the order of the flags", async () => {
    const files = [file("b.ndjson", '{"id":2,"name":"b"}'), file("a.json", '[{"id":1,"name":"a"}]')];
    expect(await plantsOf(...files)).toBe('{"size":2,"plants":[{"id":2,"name":"b"},{"id":1,"name":"a"}]}');
  });

  it.each([
    ["9223372036854775808", `id ${mustBe.int64} 9223372036854775808`],
    ["1.5", `id ${mustBe.int64} 1.5`],
    ['"1"', `id ${mustBe.int64} "1": convert the text to an integer`],
  ])("is rejected if an array has the id %s", async (id, problem) => {
    const path = file("ids.json", `[{"id":1,"name":"a"},{"id":${id},"name":"b"}]`);
    const [status, text] = await refused("--initial-plants", path);
    expect([status, text]).toEqual([
      2,
      expect.stringContaining(`the list is invalid:\n  [1]: ${problem}; received: {`),
    ]);
  });

  it("is rejected with each invalid line, its rule and its text", async () => {
    const path = file("bad.ndjson", '{"id":1}\n{"id":2,"name":"b"}\n{"id":3,\n7\n{"id":4,"name":"d","tga":"x"}');
    expect(await refused("--initial-plants", path)).toEqual([
      2,
      `plant-store-mock: --initial-plants ${path}: the list is invalid:
  line 1: name is required; received: {"id":1}
  line 3: must be one JSON object; received: {"id":3,
  line 4: ${mustBe.object} a number; received: 7
  line 5: unknown field "tga"; known fields: id, name, tag; received: {"id":4,"name":"d","tga":"x"}
Run plant-store-mock --help for all flags.
`,
    ]);
  });

  it("lists twenty problems, and counts the others", async () => {
    const [, text] = await refused("--initial-plants", file("many.ndjson", "x\n".repeat(20)));
    expect(text).toMatch(/^.*\n( {2}line \d+: .*\n){20}Run/);
    const [, longer] = await refused("--initial-plants", file("more.ndjson", "x\n".repeat(23)));
    expect(longer).toMatch(/^.*\n( {2}line \d+: .*\n){20} {2}and 3 more\nRun/);
  });

  it("is shown on one line of at most a hundred characters, without control characters", async () => {
    const [, text] = await refused("--initial-plants", file("long.ndjson", ` \u001b[31m${"x".repeat(300)} `));
    expect(text).toContain(`line 1: must be one JSON object; received: [31m${"x".repeat(96)}…\n`);
  });

  it.each([
    ["one.json", '{"id":1,"name":"a"}', "must be a JSON array of plants, not an object"],
    [
      "open.json",
      '[{"id":1,"name":"a"}',
      "must be a JSON array of plants: Expected ',' or ']' after array element in JSON at position 20",
    ],
    [
      "latin.json",
      Buffer.from('[{"id":1,"name":"\xe9"}]', "latin1"),
      "contains bytes that are not UTF-8; save it as UTF-8",
    ],
    ["utf16.json", Buffer.from("\uFEFF[]", "utf16le"), "contains bytes that are not UTF-8; save it as UTF-8"],
    ["plants.csv", "id,name\n1,a", 'the file name must end in .ndjson, .jsonl, .json; received ".csv"'],
  ])("is rejected as a whole: %s", async (name, content, problem) => {
    const path = file(name, content);
    expect(await refused("--initial-plants", path)).toEqual([
      2,
      expect.stringContaining(`--initial-plants ${path}: ${problem}`),
    ]);
  });
});
