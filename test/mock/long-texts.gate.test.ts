import { createMockPlantStore } from "plant-store-client/mock";
import { startMockPlantStore } from "plant-store-client/mock/http";
import { expect, it } from "vitest";
import { readSeedFile } from "../../mock/cli/seed-file.ts";
import { INT64_MAX } from "../int64-values.ts";
import { useFolder } from "../use-folder.ts";
import { post } from "./post.ts";

const { write } = useFolder();

// A pattern that repeats a group overflows V8's stack on such texts: "Maximum call stack size exceeded".
const TIMES = 12_000_000;
const ESCAPES = "\\n".repeat(TIMES);

it("a body with millions of escapes is a plant like any other", async () => {
  const mock = createMockPlantStore({ maxBodyBytes: 2 ** 26 });
  const { status } = await post(mock, `{"id":9223372036854775807,"name":"${ESCAPES}"}`);
  expect([status, mock.plants.has(INT64_MAX)]).toEqual([200, true]);
});

it("a seed file may have texts with millions of escapes", () => {
  const lengths = (name: string, text: string) =>
    readSeedFile(write(name, text), "--seed").map((plant) => plant.name.length);
  expect(lengths("escapes.ndjson", `{"id":1,"name":"${ESCAPES}"}`)).toEqual([TIMES]);
  expect(lengths("escapes.json", `[{"id":1,"name":"${ESCAPES}"},{"id":2,"name":"b"}]`)).toEqual([TIMES, 1]);
});

it("an invalid base path of any length is rejected with its rule", async () => {
  await expect(startMockPlantStore({ basePath: `${"/a".repeat(TIMES)}?` })).rejects.toThrow(
    /^basePath: must be a path such as \/v1/,
  );
});
