// Runs the suite in a process of Node, Bun or Deno, and prints the results. The process ends by itself.
import { inspect } from "node:util";
import { runSuite } from "./suite.js";

const setting = JSON.parse(process.argv[2]);
const undici = setting.undici && (await import("plant-store-client/undici")).createUndiciFetch();
const show = (value) => inspect(value, { depth: 20, showHidden: true });
const results = await runSuite({ ...setting, inspect: show, options: undici ? { fetch: undici } : undefined });
await undici?.close();
console.log(JSON.stringify(results));
