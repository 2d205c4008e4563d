import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { isInsecure, readBaseUrl } from "../../src/checks/base-url.ts";
import { tokenProblem } from "../../src/checks/header-rules.ts";
import { readConfigFile } from "../cli/config-file.ts";
import { readFlags } from "../cli/flags.ts";
import { flagLines, variableLines } from "../cli/help.ts";
import { readSettings } from "../cli/read-settings.ts";
import { orUsageError } from "../cli/read-text-file.ts";
import { failWith, type ProcessHost, print } from "../cli/run.ts";
import { type Setting, UsageError } from "../cli/settings.ts";
import { createMockPlantStore } from "../memory/create-mock.ts";
import { type Configuration, settle } from "./configuration.ts";
import { reportOn } from "./report.ts";
import { MAX_PLANTS, MAX_REQUESTS, PLANT_NAME, survey } from "./survey.ts";

const settings: Readonly<Record<string, Setting>> = {
  token: {
    option: "token",
    value: "TOKEN",
    variable: "PLANT_STORE_TOKEN",
    help: "bearer token that the service accepts; it is never printed",
  },
  config: { option: "config", value: "FILE", help: "configuration of the mock to compare with (default: none)" },
  write: { option: "write", value: "FILE", help: "save the configuration with which the mock agrees with the service" },
  yes: { option: "yes", help: "do not ask before plants are created" },
};

const helpText = (): string => `Usage: plant-store-mock calibrate URL [flags]

Creates up to ${MAX_PLANTS} plants at URL, which it cannot delete. Use a sandbox.

Asks a service, with at most ${MAX_REQUESTS} requests, what the contract leaves open, and
prints where the mock differs. The plants have the name
"${PLANT_NAME}".

Flags:
${flagLines(settings)}

Environment:
${variableLines(settings)}
  PLANT_STORE_ALLOW_INSECURE=1    permits http beyond this machine

Exit status:
  0        the service and the mock do not differ
  1        they differ, or the URL is not that of a plant store
  2        invalid flag, environment variable or file

Example:
  plant-store-mock calibrate https://sandbox.example --write mock.json
`;

/** The process, and its user. */
export interface CalibrateHost extends ProcessHost {
  /** Asks the user a question; absent if there is no terminal. */
  readonly question?: ((text: string) => Promise<string>) | undefined;
}

/**
 * Runs `plant-store-mock calibrate`.
 *
 * @returns A promise of the exit status.
 */
export async function run([, ...argv]: readonly string[], host: CalibrateHost): Promise<number> {
  const stopped = new Promise<number>((resolve) => host.onSignal((signal) => resolve(128 + signal)));
  return Promise.race([stopped, calibrate(argv, host).catch((error) => failWith(error, host))]);
}

async function calibrate(argv: readonly string[], host: CalibrateHost): Promise<number> {
  const isUrlFirst = argv[0] !== undefined && !argv[0].startsWith("-");
  const flags = readFlags(argv.slice(isUrlFirst ? 1 : 0), settings) as Partial<Record<string, string>>;
  if (flags.help || flags.version) {
    await print(flags.help ? helpText() : `${host.version}\n`, host.stdout);
    return 0;
  }
  const baseUrl = checkUrl(isUrlFirst ? argv[0] : undefined, host);
  const token = checkToken(flags.token ?? host.environment.PLANT_STORE_TOKEN);
  const configuration = readConfiguration(flags.config);
  if (!(await mayCreate(baseUrl, flags.yes !== undefined, host))) return 1;

  const found = await survey({ baseUrl, token, fetch: globalThis.fetch }, sleep);
  const settled = await settle(configuration, found);
  const { text, hasDifferences } = await reportOn(found, configuration, settled);
  await print(text, host.stdout);
  if (flags.write !== undefined) {
    const file = flags.config === undefined ? {} : readConfigFile(flags.config);
    const content = `${JSON.stringify({ ...file, ...settled }, null, 2)}\n`;
    orUsageError(`--write ${flags.write}: cannot be written`, () => writeFileSync(flags.write as string, content));
    await print(`${flags.write} was written.\n`, host.stdout);
  }
  return hasDifferences ? 1 : 0;
}

function checkUrl(given: string | undefined, host: CalibrateHost): string {
  if (given === undefined) throw new UsageError("the URL is missing; write plant-store-mock calibrate URL");
  const { baseUrl, problem } = readBaseUrl(given);
  if (problem !== undefined) throw new UsageError(`the URL ${problem}`);
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

/** The options in a configuration file that say how the service behaves. */
function readConfiguration(path: string | undefined): Configuration {
  if (path === undefined) return {};
  const { options } = readSettings({ config: path }, {});
  const { auth, duplicateIds, unknownFields, mediaType, maxBodyBytes, replies } = options;
  const configuration = { auth, duplicateIds, unknownFields, mediaType, maxBodyBytes, replies };
  orUsageError(path, () => createMockPlantStore(configuration));
  return configuration;
}

/** Says what the user cannot undo, and asks for consent. */
async function mayCreate(baseUrl: string, isAgreed: boolean, host: CalibrateHost): Promise<boolean> {
  const warning = `Up to ${MAX_PLANTS} plants named "${PLANT_NAME}" will be created at ${baseUrl}, which cannot be deleted.\n`;
  await print(warning, host.stdout);
  if (isAgreed) return true;
  if (host.question === undefined) throw new UsageError("there is no terminal to ask on; set --yes to agree");
  return /^y(es)?$/i.test((await host.question("Continue? [y/N] ")).trim());
}
