import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename } from "node:path";

/** A process as the operating system shows it. */
export interface ProcessInfo {
  readonly parent: number;
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** Distinguishes the process from a later one with the same id. */
  readonly startedAt: string;
}

/** Finds a process; `undefined` if it has ended. */
export type FindProcess = (pid: number) => ProcessInfo | undefined;

/** Finds processes on Linux and macOS. On other platforms, none are found. */
export function processFinder(platform: NodeJS.Platform): FindProcess {
  const finders: Partial<Record<NodeJS.Platform, FindProcess>> = { linux: readProc, darwin: runPs };
  return finders[platform] ?? (() => undefined);
}

/**
 * The processes that started this one, up to and including the first that is neither a shell nor a package runner: with
 * `npx plant-store-mock`, the program that started npx.
 *
 * @returns The start time of each process, by process id.
 */
export function ancestorsOf(parent: number, findProcess: FindProcess): ReadonlyMap<number, string> {
  const ancestors = new Map<number, string>();
  for (let pid = parent; pid > 1 && !ancestors.has(pid); ) {
    const found = findProcess(pid);
    if (found === undefined) break;
    ancestors.set(pid, found.startedAt);
    if (!isStarter(found.command)) break;
    pid = found.parent;
  }
  return ancestors;
}

/**
 * Whether a program is a shell or a package runner. A package runner appears as `node <script>`, or under a process
 * title that it sets, such as `npm exec`.
 */
function isStarter([program = "", script = ""]: readonly string[]): boolean {
  const name = basename(program);
  return STARTERS.test(/^node(\.exe)?$/.test(name) ? basename(script) : name);
}

const STARTERS = /^-?(sh|bash|dash|ash|zsh|ksh|fish|busybox|(npm|npx|pnpm|pnpx|yarn|yarnpkg|corepack)([ .-].*)?)$/;

/** On Linux. A zombie process counts as ended. Source: proc_pid_stat(5). */
function readProc(pid: number): ProcessInfo | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in parentheses may itself contain spaces and parentheses.
    // The third field is the state; the 22nd is the start time.
    const [state, parent, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (state === "Z" || state === "X") return undefined;
    const command = readFileSync(`/proc/${pid}/cmdline`, "latin1").split("\0");
    return { parent: Number(parent), command, startedAt: rest[17] as string };
  } catch {
    return undefined;
  }
}

/** On macOS. A zombie process counts as ended. */
function runPs(pid: number): ProcessInfo | undefined {
  try {
    const output = execFileSync("ps", ["-o", "ppid=,stat=,lstart=,args=", "-p", `${pid}`], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    // lstart has five words: Sat Nov 21 23:28:09 2026.
    const [parent, state = "Z", ...words] = output.trim().split(/ +/);
    if (state.startsWith("Z")) return undefined;
    return { parent: Number(parent), command: words.slice(5), startedAt: words.slice(0, 5).join(" ") };
  } catch {
    return undefined;
  }
}
