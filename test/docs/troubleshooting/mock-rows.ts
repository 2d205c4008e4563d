import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { parse } from "node:path";
import { faults } from "plant-store-client/mock";
import { absolute } from "../blocks.ts";
import { creating, type Group, messageOf, type Row } from "./row.ts";

const inTests: readonly Row[] = [
  {
    produce: async () => {
      const program = "import('msw').catch(({ message }) => console.log(message))";
      // No package is installed in the root of the file system.
      const options = { cwd: parse(process.cwd()).root, encoding: "utf8" } as const;
      return execFileSync(process.execPath, ["--input-type=module", "--eval", program], options).trim();
    },
    meaning: "`msw` and `undici` are optional peer dependencies, which npm does not install by itself.",
    fix:
      "`npm install --save-dev msw` for `plant-store-client/mock/msw`, `mock/node` and `mock/browser`; " +
      "`npm install undici` for `plant-store-client/undici`. If Jest then says `Cannot use import statement outside " +
      "a module`, [configure it](test-runners.md#jest).",
  },
  {
    produce: () => {
      const { resolve } = createRequire(absolute("package.json"));
      return messageOf(() => resolve("plant-store-client/mock/browser"));
    },
    meaning:
      "Each entry point refuses an unsuitable environment. Jest under jsdom says " +
      "`Cannot find module 'plant-store-client/mock/node'`.",
    fix:
      "Import `mock/browser` in pages; `mock/node` and `mock/http` in Node. " +
      "Under Jest, [use jest-fixed-jsdom](test-runners.md#jest).",
  },
  {
    produce: creating(faults.rateLimited(1), { maxRetries: 0 }),
    meaning: "A test has injected this fault: an earlier test, if this one has injected none.",
    fix: "Give each test its own session, or call `reset()` after each.",
  },
];

export const mockGroups: readonly Group[] = [{ title: "In tests", rows: inTests }];
