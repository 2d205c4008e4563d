import { expect, test } from "vitest";
import { mustBe } from "../rules-in-words.ts";
import { runProgram } from "./run-program.ts";

/** The whole output of each example. */
const examples = [
  { file: "examples/quick-start.ts", prints: ["created Monstera deliciosa, a climber"] },
  {
    file: "examples/error-handling.ts",
    prints: [
      "Aloe vera: created",
      `Agave americana: correct id: it ${mustBe.int64} 1.5`,
      "Opuntia ficus-indica: refused with 400, code 17: the greenhouse is full",
      "Crassula ovata: not created: try again when the service is back",
      "Sedum acre: check the store before you send it again (connection)",
    ],
  },
  { file: "examples/token-rotation.ts", prints: ["created with token-1", "created with token-3, after 401 and 200"] },
  {
    file: "examples/standard-schema-form.ts",
    prints: [
      "please correct {",
      `  id: '${mustBe.int64} "12.5"',`,
      "  name: 'is required'",
      "}",
      "created { name: 'Wollemia nobilis' }",
    ],
  },
];

test.each(examples)("$file runs without a network and ends by itself", async ({ file, prints }) => {
  const { status, stdout, stderr } = await runProgram(file);
  expect(stderr).toBe("");
  expect(stdout.trimEnd().split("\n")).toEqual(prints);
  expect(status).toBe(0);
});
