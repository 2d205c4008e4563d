// Imports a list of plants into a plant store: `npm start`, or `npm start -- my-plants.csv`.

import { readArguments, UsageError, usage } from "./import-plants/arguments.ts";
import { Import } from "./import-plants/import.ts";
import { openList } from "./import-plants/read-list.ts";
import { openStore } from "./import-plants/store.ts";

async function main(): Promise<number> {
  const file = readArguments(process.argv.slice(2));
  if (file === undefined) {
    console.log(usage);
    return 0;
  }
  const lines = await openList(file);
  const store = await openStore(process.env);
  try {
    return await new Import().run({ file, lines }, store);
  } finally {
    await store.close();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`import-plants: ${error instanceof Error ? error.message : String(error)}`);
  if (error instanceof UsageError) console.error("`npm start -- --help` shows how to call it.");
  process.exitCode = 1;
}
