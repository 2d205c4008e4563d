import type { NewPlant } from "plant-store-client";

/** A list of plants in a file, and what the import must read of it. */
export interface List {
  readonly file: string;
  readonly content: string | Uint8Array;
  readonly plants?: readonly NewPlant[];
  /** The invalid rows, in order. */
  readonly problems?: readonly string[];
  readonly unknownColumns?: readonly string[];
  /** Why the list as a whole cannot be read. */
  readonly failure?: string;
}

/** A text in UTF-16 and UTF-32, with and without a byte order mark. */
function inWideEncodings(text: string): [encoding: string, content: Buffer][] {
  return [text, `\uFEFF${text}`].flatMap((start) => {
    const kind = start === text ? "" : "-marked";
    const utf16 = Buffer.from(start, "utf16le");
    const utf32 = Buffer.from([...start].map((character) => `${character}\0`).join(""), "utf16le");
    return [
      [`utf-16le${kind}`, utf16],
      [`utf-16be${kind}`, Buffer.from(utf16).swap16()],
      [`utf-32le${kind}`, utf32],
      [`utf-32be${kind}`, Buffer.from(utf32).swap32()],
    ] as [string, Buffer][];
  });
}

const plants: NewPlant[] = [
  { id: 1, name: "Rosa canina", tag: "shrub" },
  { id: 9007199254740993n, name: "Wollemia nobilis" },
  { id: -(2n ** 63n), name: 'Rosa "Peace", 1945', tag: "rose" },
];
const ndjson = [
  '{"id":1,"name":"Rosa canina","tag":"shrub"}',
  "",
  '{"id":9007199254740993,"name":"Wollemia nobilis"}',
  '{"id":"-9223372036854775808","tag":"rose","name":"Rosa \\"Peace\\", 1945"}\n',
].join("\n");

const ID_RULE = "id must be an integer from -9223372036854775808 to 9223372036854775807";
const QUOTE_RULE = 'has a quote inside a cell; enclose the cell in quotes, and double the inner quote ("")';
const HEADER_RULE = "the first line must be a header with the columns id and name";

/** Lists that are completely valid. */
const good: List[] = [
  {
    file: "column-without-cells.csv",
    content: "id,name,Place\n3,Acer\n",
    plants: [{ id: 3, name: "Acer" }],
  },
  {
    file: "plants.csv",
    content:
      'id,name,tag\n1,Rosa canina,shrub\n9007199254740993,Wollemia nobilis,\n-9223372036854775808,"Rosa ""Peace"", 1945",rose',
    plants,
  },
  {
    file: "from-a-spreadsheet.CSV",
    content:
      '\uFEFF"Name" ; ID ;Tag;;\r\nRosa canina;0001; shrub\r\n;;\r\n\r\nWollemia nobilis;9007199254740993\r\n"Rosa ""Peace"", 1945";-9223372036854775808;rose;\r\n',
    plants,
  },
  { file: "from-an-old-mac.csv", content: "id,name,tag\r1,Rosa canina,shrub\r", plants: plants.slice(0, 1) },
  { file: "plants.ndjson", content: ndjson, plants },
  { file: "plants.jsonl", content: `\uFEFF${ndjson.replaceAll("\n", "\r\n")}`, plants },
  { file: "plants.json", content: `\uFEFF[${ndjson.trim().replace("\n\n", ",\n").replaceAll("}\n", "},\n")}]`, plants },
  {
    file: "spread-out.json",
    content:
      '\n[\r\n  {\n    "id" : 1,\n    "name": "Rosa canina",\n    "tag":"shrub"\n  },{"name":"a]},[\\"{\u2028","id" : 9007199254740993}\n]\n',
    plants: [plants[0] as NewPlant, { id: 9007199254740993n, name: 'a]},["{\u2028' }],
  },
  {
    file: "separated.ndjson",
    content: '{"id":1,"name":"one\u2028\uFEFFline"}',
    plants: [{ id: 1, name: "one\u2028\uFEFFline" }],
  },
  { file: "header.csv", content: "id,name\n", plants: [] },
  { file: "empty.csv", content: "", plants: [] },
  { file: "empty.ndjson", content: "\n \t\n", plants: [] },
  { file: "empty.json", content: "[ ]", plants: [] },
];

/** Lists with invalid rows. */
const bad: List[] = [
  {
    file: "columns.csv",
    content: "id,name,Place,tag,Bed\n1,Rosa canina,Kew,shrub,3\n",
    plants: plants.slice(0, 1),
    unknownColumns: ["Place", "Bed"],
  },
  {
    file: "semicolon-in-a-quoted-column.csv",
    content: 'id,name,"Place; bed",tag\n1,Rosa canina,Kew; 3,shrub\n',
    plants: plants.slice(0, 1),
    unknownColumns: ["Place; bed"],
  },
  {
    file: "columns.ndjson",
    content:
      '{"id":1,"name":"Rosa canina","Tag":"tree","tag":"shrub"}\n{"id":2,"name":"Acer","Bed":{"id":3,"__proto__":1}}',
    plants: [plants[0] as NewPlant, { id: 2, name: "Acer" }],
    unknownColumns: ["Tag", "Bed"],
  },
  {
    file: "columns.json",
    content: '[\r\n{"id":1,"name":"a\\n]}","tag":""},\r\n{"id":2,"name":"b","beds":[[3],"]"]},\r\nx]',
    plants: [
      { id: 1, name: "a\n]}", tag: "" },
      { id: 2, name: "b" },
    ],
    problems: ["element 3: must be one JSON object; received: x"],
    unknownColumns: ["beds"],
  },
  {
    file: "columns-of-invalid-rows.csv",
    content: "id,name,tga\n1,,shrub\n",
    problems: ["line 2: name is required; received: 1,,shrub"],
    unknownColumns: ["tga"],
  },
  {
    file: "rows.csv",
    content: [
      "id,name,tag",
      "1,,tree",
      "1.5,Acer campestre",
      "1l36,Acer palmatum,tree",
      "2,Acer rubrum,tree,red",
      '3,"Acer negundo',
      '4,Acer "Rubrum"',
      '5,"Acer" saccharum',
      '6,"Acer ""pictum""""',
      "9223372036854775808,Acer griseum,",
      "7,Acer\u001B[31m tataricum\u0007,tree,x",
      `8,${"Acer ".repeat(40)},tree,x`,
      ",Acer opalus",
      "9,Acer opalus",
    ].join("\n"),
    plants: [{ id: 9, name: "Acer opalus" }],
    problems: [
      "line 2: name is required; received: 1,,tree",
      `line 3: ${ID_RULE}, not "1.5"; received: 1.5,Acer campestre`,
      `line 4: ${ID_RULE}, not "1l36"; received: 1l36,Acer palmatum,tree`,
      "line 5: has 4 columns; the header has 3; received: 2,Acer rubrum,tree,red",
      'line 6: has an unclosed quote; received: 3,"Acer negundo',
      `line 7: ${QUOTE_RULE}; received: 4,Acer "Rubrum"`,
      `line 8: ${QUOTE_RULE}; received: 5,"Acer" saccharum`,
      'line 9: has an unclosed quote; received: 6,"Acer ""pictum""""',
      `line 10: ${ID_RULE}, not 9223372036854775808; received: 9223372036854775808,Acer griseum,`,
      "line 11: has 4 columns; the header has 3; received: 7,Acer [31m tataricum ,tree,x",
      `line 12: has 4 columns; the header has 3; received: 8,${"Acer ".repeat(19)}Ace…`,
      "line 13: id is required; received: ,Acer opalus",
    ],
  },
  {
    file: "quotes.csv",
    content: 'name,id\n"Acer" "opalus",1\n"Acer,2\n"Acer rubrum",3,\nAcer,4',
    plants: [{ id: 4, name: "Acer" }],
    problems: [
      `line 2: ${QUOTE_RULE}; received: "Acer" "opalus",1`,
      'line 3: has an unclosed quote; received: "Acer,2',
      'line 4: has 3 columns; the header has 2; received: "Acer rubrum",3,',
    ],
  },
  {
    file: "semicolons.csv",
    content: 'id;name\n1;"Acer\n2;Acer "opalus"\n3;Acer',
    plants: [{ id: 3, name: "Acer" }],
    problems: ['line 2: has an unclosed quote; received: 1;"Acer', `line 3: ${QUOTE_RULE}; received: 2;Acer "opalus"`],
  },
  {
    file: "latin-1.csv",
    content: Buffer.from("id,name\n1,Acer am\u00e9ricain\n2,Acer opalus", "latin1"),
    plants: [{ id: 2, name: "Acer opalus" }],
    problems: ["line 2: contains bytes that are not UTF-8; save the list as UTF-8; received: 1,Acer am\uFFFDricain"],
  },
  {
    file: "rows.ndjson",
    content: [
      "not JSON",
      '["id"]',
      "null",
      '{"id":1.5,"name":7}',
      '{"name":"Acer campestre","tag":null}',
      '{"id":1e2,"name":"Acer palmatum"}',
      '{"id":1,"name":"\\"id\\":9007199254740993"}',
      '{"id":2,"name":"Acer',
      '{"id":007,"name":"Acer"}',
    ].join("\n"),
    plants: [{ id: 1, name: '"id":9007199254740993' }],
    problems: [
      "line 1: must be one JSON object; received: not JSON",
      'line 2: must be an object, not an array; received: ["id"]',
      "line 3: must be an object, not null; received: null",
      `line 4: ${ID_RULE}, not "1.5"; name must be a string, not 7; received: {"id":1.5,"name":7}`,
      'line 5: id is required; tag must be a string, not null; received: {"name":"Acer campestre","tag":null}',
      `line 6: ${ID_RULE}, not "1e2"; received: {"id":1e2,"name":"Acer palmatum"}`,
      'line 8: must be one JSON object; received: {"id":2,"name":"Acer',
      'line 9: must be one JSON object; received: {"id":007,"name":"Acer"}',
    ],
  },
  {
    file: "rows.json",
    content:
      '[{"id":1,"name":"a"},\n {"id":1.5,\n  "name":"Acer"} ,{"id":,}\n, 7, }, {"id":2,"name":"b",\n"tag":"}\n},\n{"id":3,"name":"c"}]',
    plants: [
      { id: 1, name: "a" },
      { id: 3, name: "c" },
    ],
    problems: [
      `element 2: ${ID_RULE}, not "1.5"; received: {"id":1.5, "name":"Acer"}`,
      'element 3: must be one JSON object; received: {"id":,}',
      "element 4: must be an object, not a number; received: 7",
      "element 5: must be one JSON object; received: }",
      'element 6: must be one JSON object; received: {"id":2,"name":"b", "tag":"} }',
    ],
  },
  {
    file: "texts.json",
    content: '["Acer",{"id":1,"name":"a"}]',
    plants: [{ id: 1, name: "a" }],
    problems: ['element 1: must be an object, not a string; received: "Acer"'],
  },
];

/** Lists with commas that separate nothing. */
const extraCommas: List[] = [
  {
    file: "commas.json",
    content: '[,{"id":1,"name":"a"},\n,,7,\n{"id":2,"name":"b"},\n]',
    plants: [
      { id: 1, name: "a" },
      { id: 2, name: "b" },
    ],
    problems: [
      "element 1: is missing; remove the extra comma; received: ,",
      "element 3: is missing; remove the extra comma; received: ,",
      "element 4: is missing; remove the extra comma; received: ,",
      "element 5: must be an object, not a number; received: 7",
      "element 7: is missing; remove the extra comma; received: ]",
    ],
  },
];

/** Files that are not lists. */
const unreadable: List[] = [
  {
    file: "no-header.csv",
    content: "1,Acer campestre\n2,Acer palmatum",
    failure: `${HEADER_RULE}; received: 1,Acer campestre`,
  },
  { file: "nameless.csv", content: "id,tag\n1,tree", failure: `${HEADER_RULE}; received: id,tag` },
  { file: "broken-header.csv", content: 'id,name,"tag', failure: `${HEADER_RULE}; received: id,name,"tag` },
  { file: "twice.csv", content: "id,Name,NAME\n1,Acer,Acer", failure: 'the header names the column "name" twice' },
  {
    file: "twice-two.csv",
    content: "id,name,Name,ID\n1,Acer,Acer,1",
    failure: 'the header names the column "id" twice',
  },
  {
    file: "object.json",
    content: '\n{"plants":[{"id":1,"name":"Acer"}]}',
    failure: 'line 2: must be a JSON array of plants; received: {"plants":[{"id":1,"name":"Acer"}]}',
  },
  ...["csv", "ndjson", "json"].flatMap((format) =>
    inWideEncodings("[id,name\n1,Acer opalus").map(([encoding, content]) => ({
      file: `${encoding}.${format}`,
      content,
      failure: "the file is UTF-16 or UTF-32; save it as UTF-8",
    })),
  ),
  { file: "blank.json", content: " \n", failure: "must be a JSON array of plants; the file is empty" },
  { file: "open.json", content: '[{"id":1,"name":"Acer"},\n{"id":2', failure: "the JSON array is not closed" },
  {
    file: "two-arrays.json",
    content: '[{"id":1,"name":"Acer"}]\n[{"id":2,"name":"Acer"}]',
    failure: "line 2: unexpected text after the JSON array",
  },
];

export const lists: readonly List[] = [...good, ...bad, ...extraCommas, ...unreadable];
