import { type OpenServer, openServer } from "../http/start.ts";
import { visibleLine } from "../http/visible-text.ts";
import { readFlags } from "./flags.ts";
import { helpText } from "./help.ts";
import { type CommandSettings, readSettings } from "./read-settings.ts";
import { createRequestLog, type Output } from "./request-log.ts";
import { UsageError } from "./settings.ts";

/** The parts of the process that the command uses. */
export interface ProcessHost {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly version: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Calls back on each SIGTERM, SIGINT and SIGHUP, with the number of the signal. */
  onSignal(callback: (signal: number) => void): void;
  /** Reads what may block the process, such as a pipe: no handler of a signal would run, so a signal ends it. */
  interruptible<Value>(read: () => Value): Value;
  /** Calls back when the parent process has ended. */
  onParentExit(callback: () => void): void;
  /** Asks the user a question; absent if there is no terminal. */
  readonly question?: ((text: string) => Promise<string>) | undefined;
}

/**
 * Runs the command.
 *
 * @returns A promise of the exit status, which resolves when the mock has ended.
 */
export async function run(argv: readonly string[], host: ProcessHost): Promise<number> {
  try {
    const flags = readFlags(argv);
    if (flags.help) await print(helpText(), host.stdout);
    else if (flags.version) await print(`${host.version}\n`, host.stdout);
    else {
      const settings = host.interruptible(() => readSettings(flags, host.environment));
      return await runServer(await open(settings), settings, host);
    }
    return 0;
  } catch (error) {
    return failWith(error as Error, host);
  }
}

/** Says why a command fails; returns its exit status: 2 if it was not used as its help says. */
export function failWith(error: Error, { stderr }: ProcessHost, command = "plant-store-mock", status = 1): number {
  const isUsage = error instanceof UsageError;
  const hint = isUsage ? `Run ${command} --help for all flags.\n` : "";
  // A path or a value may contain characters that control the terminal. A list of problems has lines.
  const message = error.message.split("\n").map(visibleLine).join("\n");
  stderr.write(`${command}: ${message}\n${hint}`);
  return isUsage ? 2 : status;
}

async function open({ options, withOrigin }: CommandSettings): Promise<OpenServer> {
  try {
    return await openServer(options);
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(withOrigin(error.message)) : error;
  }
}

async function runServer(server: OpenServer, settings: CommandSettings, host: ProcessHost): Promise<number> {
  const { stdout, stderr } = host;
  const log = settings.log ?? (stderr.isTTY ? "pretty" : "json");
  if (log !== "silent") server.service.observe(createRequestLog(log, stderr));
  const warn = (warning: string) =>
    stderr.write(log === "json" ? `${JSON.stringify({ warning })}\n` : `Note: ${warning}.\n`);
  if (server.warning !== undefined) warn(server.warning);
  const ended = new Promise<number>((resolve) => {
    let isEnding = false;
    const end = (quitStatus: number) => {
      if (isEnding) return resolve(quitStatus); // A second signal.
      isEnding = true;
      server.drain().then(() => resolve(0));
    };
    host.onSignal((signal) => end(128 + signal));
    if (settings.exitWithParent) host.onParentExit(() => isEnding || end(0));
  });
  const ready = stdout.isTTY ? prettyReady(server, host.version) : jsonReady(server);
  // The mock serves without it: its port may be known.
  print(ready, stdout).catch(({ message }) => warn(message));
  return ended;
}

/** Writes a text. @throws Error if it cannot be written: the disk is full, or the reader has ended. */
export function print(text: string, output: Output): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(text, (error) => {
      if (error) reject(new Error(`cannot write to standard output: ${error.message}`));
      else resolve();
    });
  });
}

function jsonReady(server: OpenServer): string {
  const { url, mock } = server;
  const facts = { ready: true, url, baseUrl: mock.baseUrl, console: consoleOf(server), pid: process.pid };
  return `${JSON.stringify(facts)}\n`;
}

function prettyReady(server: OpenServer, version: string): string {
  const { url, service } = server;
  const operations = service.router.operations.map(({ method, path }) => `  service  ${method} ${url}${path}`);
  return `Plant Store Mock ${version}
${operations.join("\n")}
  console  ${consoleOf(server) ?? "off"}
Press Ctrl-C to stop it.
`;
}

/** The address of the console, unless the control API is off. */
function consoleOf({ url, warning }: OpenServer): string | undefined {
  return warning === undefined ? `${url}/_mock/` : undefined;
}
