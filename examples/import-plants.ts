// Imports a list of plants into a plant store: `npm start`, or `npm start -- my-plants.csv`.

import { constants } from "node:os";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type CreatePlantsPace,
  createPlants,
  type NewPlant,
  PlantStoreClient,
} from "plant-store-client";
import { startMockPlantStore } from "plant-store-client/mock/http";
import { readList } from "./import-plants/read-list.ts";
import { Report } from "./import-plants/report.ts";

/** The time for plants in flight after Ctrl-C, before they are aborted. */
const GRACE_MS = 5_000;
/** After this many failures in a row that the list does not explain, we stop. */
const GIVE_UP_AFTER = 10;

const report = new Report();
const aborter = new AbortController();
let stopStatus: number | undefined;

/** Sends nothing new. Plants in flight get time: the result of an aborted one is unknown. */
function stop(reason: string, status: number): void {
  if (stopStatus !== undefined) return;
  stopStatus = status;
  console.log(`Stopping (${reason}): plants in flight get ${GRACE_MS / 1000} s to finish`);
  setTimeout(() => aborter.abort(new Error(reason)), GRACE_MS).unref();
}

/** Creates the plants of the list. Returns whether all of them have a result. */
async function importList(file: string, client: PlantStoreClient): Promise<boolean> {
  const lineOf: number[] = []; // by the index of the plant
  async function* plants(): AsyncGenerator<NewPlant> {
    for await (const line of readList(file)) {
      if (stopStatus !== undefined) return;
      report.addLine(line);
      if (!("plant" in line)) continue;
      lineOf.push(line.number);
      yield line.plant;
    }
  }

  try {
    for await (const result of createPlants(client, plants(), {
      signal: aborter.signal,
      onPace: showPause,
    })) {
      report.addResult(lineOf[result.index] as number, result);
      if (report.settled % 100 === 0) console.log(report.counts);
      if (report.failuresInARow >= GIVE_UP_AFTER) stop(`${GIVE_UP_AFTER} failures in a row`, 1);
    }
    return stopStatus === undefined;
  } catch (error) {
    // The list cannot be read to its end, or the service asks for a pause that is too long.
    if (!aborter.signal.aborted)
      console.error(`import-plants: ${error instanceof Error ? error.message : error}`);
    return false;
  }
}

function showPause({ pausedUntilMs }: CreatePlantsPace): void {
  if (pausedUntilMs === undefined) return;
  const seconds = Math.max(1, Math.round((pausedUntilMs - Date.now()) / 1000));
  console.log(
    `The service limits requests: a pause of ${seconds} s after ${report.settled} plants`,
  );
}

/** The service that the environment names, or else the mock, on a real port of this machine. */
async function openStore({
  PLANT_STORE_BASE_URL: baseUrl,
  PLANT_STORE_TOKEN: token,
}: NodeJS.ProcessEnv) {
  // Plants for a real store must not go to a mock.
  if (Boolean(baseUrl) !== Boolean(token)) {
    throw new Error(
      "set both PLANT_STORE_BASE_URL and PLANT_STORE_TOKEN for a service, or none for the mock",
    );
  }
  if (baseUrl && token)
    return { client: new PlantStoreClient({ baseUrl, token }), close: async () => {} };
  const mock = await startMockPlantStore({ duplicateIds: "reject" });
  return { client: new PlantStoreClient(mock.clientOptions), close: () => mock.close() };
}

/** @returns the exit status: 0 if all is created except bad lines and refused plants. */
async function main(
  argument = fileURLToPath(new URL("data/plants.csv", import.meta.url)),
): Promise<number> {
  const store = await openStore(process.env);
  // npm runs the program in the folder of package.json: INIT_CWD is the folder of the person.
  const file = resolve(process.env.INIT_CWD ?? "", argument);
  const startedAt = performance.now();
  console.log(`Importing ${file}`);
  const isComplete = await importList(file, store.client);
  await store.close();
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(`${report.counts} in ${seconds.toFixed(2)} s${report.details}`);
  if (!isComplete) console.log(`Nothing after line ${report.lastLine} was sent.`);
  if (stopStatus !== undefined) return stopStatus;
  const isInVain = report.created === 0 && report.refused.length + report.badLines.length > 0;
  return isComplete && report.failed.length + report.unknown.length === 0 && !isInVain ? 0 : 1;
}

// Kept until the end: one Ctrl-C arrives several times, from the terminal and passed on by npm.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => stop(signal, 128 + constants.signals[signal]));
}
try {
  process.exitCode = await main(process.argv[2]);
} catch (error) {
  console.error(`import-plants: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
