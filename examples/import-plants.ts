// Imports a list of plants into a plant store: `npm start`, or `npm start -- my-plants.csv`.
// With `--journal FILE` and a real service, an import that was stopped or killed continues; `--rejects FILE` gets the
// lines without a created plant.

import { statSync } from "node:fs";
import { constants } from "node:os";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type CreatePlantsPace, createPlants, PlantStoreClient } from "plant-store-client";
import { type FileJournal, openJournal } from "plant-store-client/journal";
import { startMockPlantStore } from "plant-store-client/mock/http";
import { Progress } from "./import-plants/progress.ts";
import { countLines, type Line, readList } from "./import-plants/read-list.ts";
import { pathOfNew, Rejects } from "./import-plants/rejects.ts";
import { type ListedPlant, Report } from "./import-plants/report.ts";

/** One Ctrl-C arrives several times within this time, from the terminal and passed on by npm. */
const SAME_SIGNAL_MS = 500;

const aborter = new AbortController();
let stopStatus: number | undefined;
let stoppedAt = 0;

/** Ends the list: plants in flight finish. */
function stop(reason: string, status: number): void {
  if (stopStatus !== undefined) return;
  stopStatus = status;
  stoppedAt = Date.now();
  console.log(`Stopping (${reason}): plants in flight finish; Ctrl-C or SIGTERM aborts them`);
}

/** The second time, aborts the plants in flight, so that they may exist. A terminal that is closed does not ask for that. */
function onSignal(signal: "SIGINT" | "SIGTERM" | "SIGHUP"): void {
  const isSecond = stopStatus !== undefined && Date.now() - stoppedAt > SAME_SIGNAL_MS;
  if (isSecond && signal !== "SIGHUP") aborter.abort(new Error(signal));
  stop(signal, 128 + constants.signals[signal]);
}

/** The terminal is closed, or what reads the pipe has ended, as in `| head`: as at Ctrl-C. */
function onClosedOutput(error: NodeJS.ErrnoException): void {
  stop(`the output is closed: ${error.code}`, 128 + constants.signals.SIGPIPE);
}

interface Import {
  readonly list: AsyncIterable<Line>;
  readonly client: PlantStoreClient;
  readonly journal: FileJournal | undefined;
  readonly report: Report;
  readonly progress: Progress;
}

/** Creates the plants of the list. Returns whether all of them have a result. */
async function importList({
  list,
  client,
  journal,
  report,
  progress,
}: Import): Promise<boolean> {
  async function* plants(): AsyncGenerator<ListedPlant> {
    for await (const line of list) {
      if (stopStatus !== undefined) return;
      report.addLine(line);
      if ("plant" in line) yield { ...line.plant, line: line.number, text: line.text };
    }
  }

  const onPace = ({ pausedUntilMs, error }: CreatePlantsPace) => {
    if (pausedUntilMs === undefined) return;
    const seconds = Math.max(1, Math.round((pausedUntilMs - Date.now()) / 1000));
    progress.log(`A pause of ${seconds} s after ${report.settled} plants: ${error?.message}`);
  };
  try {
    const { signal } = aborter;
    for await (const result of createPlants(client, plants(), { signal, journal, onPace })) {
      report.addResult(result);
      progress.show(report.settled + report.badLines.length);
    }
    return stopStatus === undefined;
  } catch (error) {
    // The list cannot be read to its end, the service is down for too long, or the journal cannot be written.
    if (!aborter.signal.aborted)
      console.error(`import-plants: ${error instanceof Error ? error.message : error}`);
    return false;
  }
}

/** The service that the environment names, or else the mock, on a real port of this machine. */
async function openStore(
  { PLANT_STORE_BASE_URL: baseUrl, PLANT_STORE_TOKEN: token }: NodeJS.ProcessEnv,
  journalFile: string | undefined,
) {
  // Plants for a real store must not go to a mock.
  if (Boolean(baseUrl) !== Boolean(token)) {
    throw new Error(
      "set both PLANT_STORE_BASE_URL and PLANT_STORE_TOKEN for a service, or none for the mock",
    );
  }
  if (baseUrl && token) {
    const journal =
      journalFile === undefined ? undefined : await openJournal(journalFile, { baseUrl });
    const client = new PlantStoreClient({ baseUrl, token });
    return { client, journal, name: baseUrl, close: async () => journal?.close() };
  }
  if (journalFile !== undefined)
    throw new Error("--journal needs a service: the mock starts empty each time");
  const mock = await startMockPlantStore({ duplicateIds: "reject" });
  const client = new PlantStoreClient(mock.clientOptions);
  const name = `a mock at ${mock.url}, which ends with this program`;
  return { client, journal: undefined, name, close: () => mock.close() };
}

/** @throws Error if two files are one, perhaps by a link: the list or the journal would be overwritten. */
function checkDifferent(files: Record<string, string | undefined>): void {
  const names = new Map<string, string>();
  for (const [name, path] of Object.entries(files)) {
    if (!path) continue;
    // Rejects are written next to those of the last run.
    for (const file of name === "--rejects" ? [path, pathOfNew(path)] : [path]) {
      const { dev, ino } = statSync(file, { throwIfNoEntry: false }) ?? {};
      const key = ino === undefined ? file : `${dev} ${ino}`;
      const other = names.get(key);
      if (other && other !== name)
        throw new Error(`${other} and ${name} are the same file: ${file}`);
      names.set(key, name);
    }
  }
}

/** @returns the exit status: 0 if all is created except bad lines and refused plants. */
async function main(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { journal: { type: "string" }, rejects: { type: "string" } },
  });
  const [argument = fileURLToPath(new URL("data/plants.csv", import.meta.url))] = positionals;
  // npm runs the program in the folder of package.json: INIT_CWD is the folder of the person.
  const inFolder = (path: string) => resolve(process.env.INIT_CWD ?? "", path);
  const file = inFolder(argument);
  const journalFile = values.journal && inFolder(values.journal);
  const rejectsFile = values.rejects && inFolder(values.rejects);
  checkDifferent({ "the list": file, "--journal": journalFile, "--rejects": rejectsFile });
  const list = readList(file);
  const store = await openStore(process.env, journalFile);
  const rejects = rejectsFile ? new Rejects(rejectsFile) : undefined;
  const report = new Report(rejects);
  const startedAt = performance.now();
  const earlier = [...(store.journal?.created() ?? [])].length;
  const before = earlier > 0 ? `: ${earlier} were created before` : "";
  console.log(`Importing ${file} into ${store.name}${before}`);
  const progress = new Progress(await countLines(file), earlier);
  const isComplete = await importList({ list, ...store, report, progress });
  await store.close();
  const seconds = (performance.now() - startedAt) / 1000;
  progress.log(`${report.counts} in ${seconds.toFixed(2)} s${report.details}`);
  if (rejects) console.log(`The lines that were not created: ${rejects.close(isComplete)}`);
  if (!isComplete) console.log(`Nothing after line ${report.lastLine} was sent.`);
  if (store.journal) {
    const options = values.rejects === undefined ? "" : ` --rejects ${values.rejects}`;
    console.log(`To continue: npm start -- ${argument} --journal ${values.journal}${options}`);
    console.log(
      "Correct or remove the lines that were not created; leave the others as they are.",
    );
  } else if (!process.env.PLANT_STORE_BASE_URL) {
    console.log(
      "Next: set PLANT_STORE_BASE_URL and PLANT_STORE_TOKEN to import into a real service,",
    );
    console.log("and add --journal FILE, so that it can be continued after a kill.");
  }
  if (stopStatus !== undefined) return stopStatus;
  const isInVain =
    earlier + report.created === 0 && report.refused.length + report.badLines.length > 0;
  return isComplete && report.failed.length + report.unknown.length === 0 && !isInVain ? 0 : 1;
}

// Kept until the end, so that the second one does not end the process by itself.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, onSignal);
for (const output of [process.stdout, process.stderr]) output.on("error", onClosedOutput);
try {
  process.exitCode = await main();
} catch (error) {
  console.error(`import-plants: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
