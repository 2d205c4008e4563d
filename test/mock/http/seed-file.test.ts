import { truncateSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { refused, start } from "./process-host.ts";
import { useFolder } from "./use-folder.ts";

const { path: pathOf, write: file } = useFolder();

// test/lists reads every kind of list.
describe("the seed file", () => {
  const seeds = async (path: string) => {
    const { url, end } = await start(["--port", "0", "--seed", path]);
    const text = await (await fetch(`${url}/_mock/plants`)).text();
    expect(await end()).toBe(0);
    return text;
  };

  it("has exact ids in every format", async () => {
    const big = 9223372036854775807n;
    const plants = `{"size":2,"plants":[{"id":${big},"name":"a"},{"id":100,"name":"b","tag":"t"}]}`;
    expect(await seeds(file("s.csv", `id;name;tag\n${big};a;\n0100;b;t\n`))).toBe(plants);
    expect(await seeds(file("s.ndjson", `{"id":${big},"name":"a"}\n{"id":100,"name":"b","tag":"t"}`))).toBe(plants);
    expect(await seeds(file("s.json", `[{"id":${big},"name":"a"},{"id":100,"name":"b","tag":"t"}]`))).toBe(plants);
  });

  it("is rejected with each invalid line, its rule and its text", async () => {
    const path = file("bad.csv", "id,name,place\n1,,here\n2,b,\nx,c,");
    const [status, text] = await refused("--seed", path);
    expect(status).toBe(2);
    expect(text).toBe(`plant-store-mock: --seed ${path}: the list is invalid:
  line 2: name is required; received: 1,,here
  line 4: id must be an integer from -9223372036854775808 to 9223372036854775807, not "x"; received: x,c,
  unknown columns: place; expected id, name, tag
Run plant-store-mock --help for all flags.
`);
  });

  it("may have texts of any length and many columns", async () => {
    const long = "x".repeat(2 ** 24);
    const count = async (name: string, text: string) => JSON.parse(await seeds(file(name, text))).size;
    expect(await count("long.csv", `id,name\n1,"${long}"`)).toBe(1);
    expect(await count("long.json", `[{"id":1,"name":"${long}"}]`)).toBe(1);
    const columns = Array.from({ length: 50_000 }, (_, i) => `c${i}`);
    const [, text] = await refused("--seed", file("wide.csv", `id,name,${columns},c7\n`));
    expect(text).toContain('the header names the column "c7" twice');
  });

  it("is rejected if its extension is unknown", async () => {
    const path = file("plants.txt", "id,name\n1,a");
    expect(await refused("--seed", path)).toEqual([
      2,
      expect.stringContaining(
        `--seed ${path}: the file name must end in .csv, .ndjson, .jsonl, .json; received ".txt"\n`,
      ),
    ]);
  });

  it.each(["--seed", "--config"])("that is too long is rejected by %s", async (flag) => {
    const path = file("huge.json", "");
    truncateSync(path, 500_000_001);
    expect(await refused(flag, path)).toEqual([
      2,
      expect.stringContaining(`${path}: cannot be read: it is longer than 500000000 bytes\n`),
    ]);
  });

  it("that does not exist is named", async () => {
    const path = pathOf("none.csv");
    expect(await refused("--seed", path)).toEqual([
      2,
      expect.stringContaining(`--seed ${path}: cannot be read: ENOENT`),
    ]);
  });
});
