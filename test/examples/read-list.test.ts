import type { NewPlant } from "plant-store-client";
import { describe, expect, test } from "vitest";
import { readList } from "../../examples/import-plants/read-list.ts";
import { ABOVE_INT64, INT64_MIN } from "../int64-values.ts";
import { mustBe } from "../rules-in-words.ts";
import { useFolder } from "../use-folder.ts";

const { write } = useFolder();

async function read(file: string, content: string | Uint8Array) {
  const plants: NewPlant[] = [];
  const problems: string[] = [];
  const unknownColumns = new Set<string>();
  for await (const line of readList(write(file, content))) {
    if ("problem" in line) problems.push(`${line.number}: ${line.problem}`);
    else plants.push(line.plant);
    for (const column of line.unknownColumns) unknownColumns.add(column);
  }
  return { plants, problems, unknownColumns: [...unknownColumns] };
}

const plants = [
  { id: 1, name: "Rosa canina", tag: "shrub" },
  { id: 9007199254740993n, name: "Wollemia nobilis" },
  { id: INT64_MIN, name: 'Rosa "Peace", 1945', tag: "rose" },
];

test.each([
  [
    "plants.csv",
    'id,name,tag\n1,Rosa canina,shrub\n9007199254740993,Wollemia nobilis,\n-9223372036854775808,"Rosa ""Peace"", 1945",rose',
    [],
  ],
  [
    "from-a-spreadsheet.CSV",
    '\uFEFF"Name" ; ID ;Tag;Bed;\r\nRosa canina;0001; shrub;3;\r\n;;;;\r\n\r\nWollemia nobilis;9007199254740993;;;\r\n"Rosa ""Peace"", 1945";-9223372036854775808;rose;;\r\n',
    ["Bed"],
  ],
  [
    "plants.ndjson",
    '{"id":1,"name":"Rosa canina","tag":"shrub"}\r\n\r\n{"id" : 9007199254740993,"name":"Wollemia nobilis","Bed":3}\n{"tag":"rose","name":"Rosa \\"Peace\\", 1945","id":"-9223372036854775808"}\n',
    ["Bed"],
  ],
])("%s: each plant is read with its exact id, and columns that are not sent are named", async (...row) => {
  const [file, content, unknownColumns] = row;
  expect(await read(file, content)).toEqual({ plants, problems: [], unknownColumns });
});

describe("an invalid line is reported by its number, and the others are read", () => {
  test("in CSV", async () => {
    const content = [
      "id,name,tag",
      "1,,tree",
      "1l36,Acer palmatum,tree",
      "2,Acer rubrum,tree,red",
      '3,"Acer negundo,tree',
      '4,Acer "Rubrum",tree',
      `${ABOVE_INT64},Acer griseum,`,
      "7,Acer\u001B[31m tataricum\u0007",
      "9,Acer opalus,",
    ].join("\n");
    const { plants, problems } = await read("rows.csv", content);
    expect(plants).toEqual([{ id: 9, name: "Acer opalus" }]);
    expect(problems).toEqual([
      expect.stringMatching(/^2: name is required; received: 1,,tree$/),
      expect.stringContaining(`3: id ${mustBe.int64} "1l36"; received: `),
      expect.stringMatching(/^4: has 4 columns; the header has 3; /),
      expect.stringMatching(/^5: has an unclosed quote; /),
      expect.stringMatching(/^6: must be CSV \(/),
      expect.stringContaining(`7: id ${mustBe.int64} ${ABOVE_INT64}; `),
      "8: has 2 columns; the header has 3; received: 7,Acer [31m tataricum",
    ]);
  });

  test("in NDJSON", async () => {
    const content = [
      "not JSON",
      "null",
      '{"id":1.5,"name":"Acer"}',
      '{"id":1e2,"name":"Acer palmatum"}',
      '{"id":1,"name":"\\"id\\":9007199254740993,"}',
      '{"id":007,"name":"Acer"}',
    ].join("\n");
    const { plants, problems } = await read("rows.ndjson", content);
    expect(plants).toEqual([
      { id: 100, name: "Acer palmatum" },
      { id: 1, name: '"id":9007199254740993,' },
    ]);
    expect(problems).toEqual([
      "1: must be one JSON object; received: not JSON",
      `2: ${mustBe.object} null; received: null`,
      expect.stringContaining(`3: id ${mustBe.int64} 1.5; `),
      expect.stringMatching(/^6: must be one JSON object; /),
    ]);
  });

  test("if its bytes are not UTF-8", async () => {
    const { plants, problems } = await read("latin-1.csv", Buffer.from("id,name\n1,Érable\n2,Acer", "latin1"));
    expect(plants).toEqual([{ id: 2, name: "Acer" }]);
    expect(problems).toEqual([expect.stringMatching(/^2: contains bytes that are not UTF-8; /)]);
  });
});

test("a line break within quotes belongs to its cell, and no part of the cell becomes a plant", async () => {
  const content =
    'id,name,"notes\n(free)"\r\n1,"Acer\r\nred","from the ""nursery"":\n2,5 m high\n\n3,4,plants"\r\n4,Rosa,"a\rb\n';
  const { plants, problems } = await read("notes.csv", `${content}5,Salix,\n`);
  expect(plants).toEqual([
    { id: 1, name: "Acer\r\nred" },
    { id: 5, name: "Salix" },
  ]);
  expect(problems).toEqual([
    expect.stringMatching(/^8: has an unclosed quote; received: 4,Rosa,"a$/),
    expect.stringMatching(/^9: has 1 columns; the header has 3; received: b$/),
  ]);
});

test.each(["\n", "\r\n", "\r"])("lines end with %j, with others among them, in pieces of any length", async (end) => {
  const names = Array.from({ length: 9_000 }, (_, id) => `Fern${"x".repeat(id % 40)}`);
  const lines = ["id,name", ...names.map((name, id) => `${id},${name}`)];
  const mixed = lines.map((line, number) => line + (number % 3 ? end : ["\r", "\n", "\r\n"][(number / 3) % 3]));
  expect(await read("ends.csv", mixed.join(""))).toEqual({
    plants: names.map((name, id) => ({ id, name })),
    problems: [],
    unknownColumns: [],
  });
});

test("NDJSON may begin with a byte order mark", async () => {
  const { plants } = await read("mark.ndjson", '\uFEFF{"id":1,"name":"Acer"}\r{"id":2,"name":"Rosa"}');
  expect(plants.map(({ id }) => id)).toEqual([1, 2]);
});

test("a line above 1 MB is a bad line, and the others are read", async () => {
  const long = "x".repeat(2_500_000);
  const { plants, problems } = await read("long.csv", `id,name\n1,Acer\n2,${long}\r\n3,"${long}\n4,Rosa\n`);
  expect(plants.map(({ id }) => id)).toEqual([1, 4]);
  expect(problems).toEqual([
    expect.stringMatching(/^3: is longer than 1 MB; received: 2,x{98}…$/),
    expect.stringMatching(/^4: is longer than 1 MB; received: 3,"x{97}…$/),
  ]);
});

test.each([
  ["with its mark", "\uFEFFid,name\r\n1,Acer"],
  ["without a mark", "id,name\n1,Acer"],
])("UTF-16 %s is named", async (_, text) => {
  const bytes = Buffer.from(text, "utf16le");
  for (const content of [bytes, Buffer.from(bytes).swap16()]) {
    await expect(read("wide.csv", content)).rejects.toThrow("wide.csv is UTF-16, or not a text: save it as UTF-8");
  }
});

test.each([
  ["no-header.csv", "1,Acer campestre\n2,Acer palmatum", "must be a header with one column id and one column name"],
  ["nameless.csv", "id,tag\n1,tree", "must be a header with one column id and one column name"],
  ["quote.csv", 'id,"name\n1,Acer', "must be a header with one column id and one column name"],
  ["twice.csv", "id,Name,NAME\n1,Acer,Acer", "the header has 2 columns for name: Name, NAME"],
  ["tags.csv", "id,name,tag,Tag\n1,Acer,,tree", "the header has 2 columns for tag: tag, Tag"],
])("%s is refused for its header", async (file, content, says) => {
  await expect(read(file, content)).rejects.toThrow(says);
});

test("a JSON array is refused", async () => {
  await expect(read("plants.json", "[]")).rejects.toThrow("plants.json: must end in .csv or .ndjson");
});
