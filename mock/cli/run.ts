import { type HttpForm, openHttpForm } from "../http/http-form.ts";
import { type Flags, readFlags } from "./flags.ts";
import { help } from "./help.ts";
import { createRequestLog, type Output } from "./request-log.ts";
import { readSeedFile } from "./seed-file.ts";
import { UsageError } from "./usage-error.ts";

/** The process around the command, as far as it needs it. */
export interface Host {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly version: string;
  /** Calls back on each SIGTERM and SIGINT, with its number. */
  onSignal(callback: (signal: number) => void): void;
  /** Calls back when the parent is gone. */
  onParentExit(callback: () => void): void;
}

/**
 * Runs the command.
 *
 * @returns the exit status, when the mock has ended.
 */
export async function run(argv: readonly string[], host: Host): Promise<number> {
  try {
    const flags = readFlags(argv);
    if (flags.help) host.stdout.write(help);
    else if (flags.version) host.stdout.write(`${host.version}\n`);
    else return await serve(await open(flags), flags, host);
    return 0;
  } catch (error) {
    const isUsage = error instanceof UsageError;
    const hint = isUsage ? "Run plant-store-mock --help for all flags.\n" : "";
    host.stderr.write(`plant-store-mock: ${(error as Error).message}\n${hint}`);
    return isUsage ? 2 : 1;
  }
}

async function open(flags: Flags): Promise<HttpForm> {
  const { port, host, basePath, tokens, duplicateIds, cors, controlToken } = flags;
  const seed = flags.seed === undefined ? undefined : readSeedFile(flags.seed);
  const auth = tokens && { tokens };
  try {
    return await openHttpForm({ port, host, basePath, duplicateIds, cors, controlToken, auth, seed });
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(inFlags(error.message)) : error;
  }
}

/** The message of an option, as one of the flag that set it. */
function inFlags(message: string): string {
  return message
    .replace(/^basePath/, "--base-path")
    .replace(/^controlToken/, "--control-token")
    .replace(/^auth\.tokens\[\d+\]/, "--token")
    .replace(/^host/, "--host");
}

async function serve(form: HttpForm, flags: Flags, host: Host): Promise<number> {
  const { stdout, stderr } = host;
  const log = flags.log ?? (stderr.isTTY ? "pretty" : "json");
  if (log !== "silent") form.service.observe(createRequestLog(log, stderr));
  const ended = new Promise<number>((resolve) => {
    let isEnding = false;
    const end = (quitStatus: number) => {
      if (isEnding) return resolve(quitStatus);
      isEnding = true;
      form.drain().then(() => resolve(0));
    };
    host.onSignal((signal) => end(128 + signal));
    if (flags.exitWithParent) host.onParentExit(() => isEnding || end(0));
  });
  stdout.write(stdout.isTTY ? prettyReady(form, host.version) : `${JSON.stringify(describe(form))}\n`);
  return ended;
}

function describe({ url, mock }: HttpForm) {
  return { ready: true, url, baseUrl: mock.baseUrl, console: `${url}/_mock/`, pid: process.pid };
}

function prettyReady({ url, service }: HttpForm, version: string): string {
  const operations = service.operations.map(({ method, path }) => `  service  ${method} ${url}${path}`);
  return `Plant Store Mock ${version}
${operations.join("\n")}
  console  ${url}/_mock/
Ctrl-C ends it.
`;
}
