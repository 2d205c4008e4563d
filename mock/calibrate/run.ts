import { closeSync, existsSync, openSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { text as readText } from "node:stream/consumers";
import { baseUrlProblem, isInsecure, normalizeBaseUrl } from "../../src/checks/http/base-url.ts";
import { tokenProblem } from "../../src/checks/http/header-rules.ts";
import { unknownName } from "../../src/checks/read-options.ts";
import { readFlags } from "../cli/flags.ts";
import { flagLines, variableLines } from "../cli/help.ts";
import { readConfigFile, readSettings } from "../cli/read-settings.ts";
import { orUsageError } from "../cli/read-text-file.ts";
import { failWith, type ProcessHost, print } from "../cli/run.ts";
import { type Settings, UsageError } from "../cli/settings.ts";
import { createMockPlantStore } from "../memory/create-mock.ts";
import { type Configuration, fitConfiguration, OPTIONS } from "./configuration.ts";
import { type Counts, Interview, MAX_PLANTS, MAX_REQUESTS } from "./interview.ts";
import { PLANT_NAME, probes } from "./probes.ts";
import { nameOf, type Report, reportOn } from "./report.ts";
import { survey } from "./survey.ts";

const COMMAND = "plant-store-mock calibrate";

const settings: Settings = {
  token: {
    option: "token",
    value: "TOKEN",
    variable: "PLANT_STORE_TOKEN",
    help: "bearer token that the service accepts, or - to read it from standard input; it is never printed",
  },
  config: { option: "config", value: "FILE", help: "configuration of the mock to compare with (default: none)" },
  except: {
    option: "except",
    value: "NAME",
    isList: true,
    help: "a difference that no option of the mock can express; can be repeated. NAME=WHAT, as --write prints it, holds only as long as the service does that",
  },
  write: {
    option: "write",
    value: "FILE",
    help: "save the configuration with which the mock agrees with the service, and print the command for the next run",
  },
  yes: { option: "yes", help: "do not ask before plants are created" },
};

const helpText = (): string => `Usage: plant-store-mock calibrate URL [flags]

Creates up to ${MAX_PLANTS} plants at URL, which it cannot delete. Use a sandbox.

Asks a service, with at most ${MAX_REQUESTS} requests, what the contract leaves open, and
prints where the mock differs. What it finds out was seen twice in a row. The
plants have the name "${PLANT_NAME}"; one with an empty name has
it as its tag.

Flags:
${flagLines(settings)}

Environment:
${variableLines(settings)}
  PLANT_STORE_ALLOW_INSECURE=1    permits http beyond this machine

Exit status:
  0        the service does what the mock does, except what --except names; or
           --write has saved the configuration
  1        it does not, or does no longer what --except names
  2        invalid flag, environment variable or file
  3        not found out: no plant store, or a service that has changed
           meanwhile; or not everything, and there is no difference so far

Example:
  plant-store-mock calibrate https://sandbox.example --write mock.json
`;

/**
 * Runs `plant-store-mock calibrate`.
 *
 * @returns A promise of the exit status.
 */
export async function run([, ...argv]: readonly string[], host: ProcessHost): Promise<number> {
  const counts = { requests: 0, plants: 0 };
  const stopped = new Promise<number>((resolve) => {
    host.onSignal((signal) => {
      const end = () => resolve(128 + signal);
      print(describeCounts(counts), host.stdout).then(end, end);
    });
  });
  return Promise.race([stopped, calibrate(argv, host, counts).catch((error) => failWith(error, host, COMMAND, 3))]);
}

const describeCounts = ({ requests, plants }: Counts) =>
  `${requests} requests were sent. ${plants} plants may exist now.\n`;

async function calibrate(argv: readonly string[], host: ProcessHost, counts: Counts): Promise<number> {
  const isUrlFirst = argv[0] !== undefined && !argv[0].startsWith("-");
  const { except = [], ...rest } = readFlags(argv.slice(isUrlFirst ? 1 : 0), settings);
  const flags = rest as Partial<Record<string, string>>;
  if (flags.help || flags.version) {
    await print(flags.help ? helpText() : `${host.version}\n`, host.stdout);
    return 0;
  }
  const { write } = flags;
  const baseUrl = checkUrl(isUrlFirst ? argv[0] : undefined, host);
  const given = flags.token === "-" ? (await readText(process.stdin)).trim() : flags.token;
  const token = checkToken(given ?? host.environment.PLANT_STORE_TOKEN);
  const excepted = checkNames(except as readonly string[]);
  const configuration = readConfiguration(flags.config, token);
  const earlier = write === undefined ? {} : checkWritable(write);
  if (!(await mayCreate(baseUrl, flags.yes !== undefined, host))) return 3;

  const interview = new Interview({ baseUrl, token, fetch }, configuration, counts);
  const found = await survey(interview).finally(() => print(describeCounts(counts), host.stdout));
  const fitted = await fitConfiguration(configuration, found.findings);
  const report = await reportOn(found, configuration, fitted, excepted);
  await print(report.text, host.stdout);
  if (write === undefined) return report.status;
  if (!report.isComplete) {
    await print(`${write} was not written, because not everything was found out.\n`, host.stdout);
    return 3;
  }
  const written: typeof earlier = { ...(flags.config !== undefined && readConfigFile(flags.config)), ...fitted };
  const content = `${JSON.stringify(written, null, 2)}\n`;
  orUsageError(unwritable(write), () => writeFileSync(write, content));
  const isChanged = (option: string) => JSON.stringify(earlier[option]) !== JSON.stringify(written[option]);
  const changed = Object.keys({ ...earlier, ...written }).filter(isChanged);
  await print(describeNextRun(baseUrl, write, changed, report), host.stdout);
  return 0;
}

function checkNames(excepted: readonly string[]): readonly string[] {
  const names = Object.keys(probes);
  const unknown = excepted.map(nameOf).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new UsageError(`--except: ${unknownName(unknown, names, "difference")}`);
  return excepted;
}

/**
 * Checks that a file can be written, before the first request: no answer of the service can be asked for again without new
 * plants.
 *
 * @returns The configuration that is written over; empty if there is none, or the file is a pipe.
 */
function checkWritable(path: string): Readonly<Record<string, unknown>> {
  const isNew = !existsSync(path);
  orUsageError(unwritable(path), () => closeSync(openSync(path, "a")));
  if (isNew) unlinkSync(path);
  return !isNew && statSync(path).size > 0 ? readConfigFile(path) : {};
}

const unwritable = (path: string) => `--write ${path}: cannot be written`;

function describeNextRun(baseUrl: string, file: string, changed: readonly string[], { exceptions }: Report): string {
  const flags = ["--config", file, ...exceptions.flatMap((exception) => ["--except", exception]), "--yes"];
  const quoted = [baseUrl, ...flags].map((word) => (/^[\w./:=+-]+$/.test(word) ? word : JSON.stringify(word)));
  return `${file} was written. Changed in it: ${changed.join(", ") || "nothing"}.
This command exits with 0 as long as the service does the same:
  ${[COMMAND, ...quoted].join(" ")}
`;
}

function checkUrl(given: string | undefined, host: ProcessHost): string {
  if (given === undefined) throw new UsageError("the URL is missing; write plant-store-mock calibrate URL");
  const problem = baseUrlProblem(given);
  if (problem !== undefined) throw new UsageError(`the URL ${problem}`);
  const baseUrl = normalizeBaseUrl(given);
  if (isInsecure(baseUrl) && host.environment.PLANT_STORE_ALLOW_INSECURE !== "1") {
    throw new UsageError("the URL must be https, because http shows the token; or set PLANT_STORE_ALLOW_INSECURE=1");
  }
  return baseUrl;
}

function checkToken(token: string | undefined): string {
  if (token === undefined) throw new UsageError("the token is missing; set --token or PLANT_STORE_TOKEN");
  const problem = tokenProblem(token);
  if (problem !== undefined) throw new UsageError(`--token: ${problem}`);
  return token;
}

/** The options in a configuration file that say how the service behaves. The token is not among its own tokens. */
function readConfiguration(path: string | undefined, token: string): Configuration {
  if (path === undefined) return {};
  const { options } = readSettings({ config: path }, {});
  const configuration: Configuration = Object.fromEntries(OPTIONS.map((option) => [option, options[option]]));
  orUsageError(path, () => createMockPlantStore(configuration));
  const { tokens } = Object(configuration.auth) as { tokens?: readonly string[] };
  if (tokens === undefined) return configuration;
  return { ...configuration, auth: { tokens: tokens.map((one) => (one === token ? "a-valid-token" : one)) } };
}

/** Says what the user cannot undo, and asks for consent. */
async function mayCreate(baseUrl: string, isAgreed: boolean, host: ProcessHost): Promise<boolean> {
  const warning = `Up to ${MAX_PLANTS} plants named "${PLANT_NAME}" will be created at ${baseUrl}, which cannot be deleted.\n`;
  await print(warning, host.stdout);
  if (isAgreed) return true;
  if (host.question === undefined) throw new UsageError("there is no terminal to ask on; set --yes to agree");
  return /^y(es)?$/i.test((await host.question("Continue? [y/N] ")).trim());
}
