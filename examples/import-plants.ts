// Imports a list of plants into a plant store: `npm start`, or `npm start -- my-plants.csv`.

import { readArguments, UsageError, usage } from "./import-plants/arguments.ts";
import { Import } from "./import-plants/import.ts";
import { Output } from "./import-plants/output.ts";
import { openList } from "./import-plants/read-list.ts";
import { openStore } from "./import-plants/store.ts";

async function main(): Promise<number> {
  const file = readArguments(process.argv.slice(2));
  if (file === undefined) {
    new Output(({ reason, status }) => fail(reason, status)).line(usage);
    return 0;
  }
  await using list = await openList(file);
  const store = await openStore(process.env);
  try {
    return await new Import(list).run(store);
  } finally {
    await store.close();
  }
}

function fail(reason: string, status: number): void {
  console.error(`import-plants: ${reason}`);
  process.exitCode = status;
}

try {
  process.exitCode = await main();
} catch (error) {
  fail(error instanceof Error ? error.message : String(error), 1);
  if (error instanceof UsageError) console.error("`npm start -- --help` shows how to call it.");
}
