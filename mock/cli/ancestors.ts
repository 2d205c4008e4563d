import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename } from "node:path";

/** A process as the operating system shows it. */
export interface ProcessInfo {
  readonly parent: number;
  /** The process that leads its session, if the system tells. */
  readonly session?: number;
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
 * The processes that started this one, up to and including the first with a purpose of its own: with
 * `npx plant-store-mock`, the program that started npx.
 *
 * @param pid - The id of this process.
 * @param hasRunner - Whether a package runner started it, or one of those processes.
 * @returns The start time of each process, by process id; `undefined` if one of them has already ended.
 */
export function ancestorsOf(
  pid: number,
  findProcess: FindProcess,
  hasRunner: boolean,
): ReadonlyMap<number, string> | undefined {
  const ancestors = new Map<number, string>();
  let isRunnerMissing = hasRunner;
  for (let id = pid, child = findProcess(id); child !== undefined; ) {
    const parent = findProcess(child.parent);
    if (parent === undefined) break;
    // A shell may go on without its parent, as a daemon. The shell of a package runner works for the runner alone.
    if ((id === pid || isRunnerMissing) && isAdopted(id, child, parent)) return undefined;
    const name = nameOf(parent.command);
    isRunnerMissing &&= !isPackageRunner(name);
    // The first process of a container may be in the session of the processes that it adopts.
    if (child.parent === 1 && isRunnerMissing) return undefined;
    if (child.parent === 1 || ancestors.has(child.parent)) break;
    ancestors.set(child.parent, parent.startedAt);
    if (!isPackageRunner(name) && !SHELL.test(name)) break;
    [id, child] = [child.parent, parent];
  }
  return ancestors;
}

/**
 * Whether the process that started this one has ended, and another has become its parent: a new process is in the
 * session of its parent, and can leave it only for one of its own.
 */
function isAdopted(pid: number, { session }: ProcessInfo, parent: ProcessInfo): boolean {
  return session !== parent.session && session !== pid;
}

/** The name of a program. A package runner appears as `node <script>`, or under a title that it sets, as `npm exec`. */
function nameOf([program = "", script = ""]: readonly string[]): string {
  const name = basename(program);
  return /^node(\.exe)?$/.test(name) ? basename(script) : name;
}

/** Whether a program is a package runner, by its name or title. */
export function isPackageRunner(name: string): boolean {
  return /^(npm|npx|pnpm|pnpx|yarn|yarnpkg|corepack)([ .-].*)?$/.test(name);
}

/** Shells, and programs that run one other and wait for it. */
const SHELL = /^-?(sh|bash|dash|ash|zsh|ksh|fish|busybox|sudo|su|time|timeout|xargs)$/;

/** On Linux. A zombie process counts as ended. Source: proc_pid_stat(5). */
function readProc(pid: number): ProcessInfo | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in parentheses may itself contain spaces and parentheses.
    // The third field is the state, the sixth the session, and the 22nd the start time.
    const [state, parent, , session, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (state === "Z") return undefined;
    const command = readFileSync(`/proc/${pid}/cmdline`, "latin1").split("\0");
    return { parent: Number(parent), session: Number(session), command, startedAt: rest[15] as string };
  } catch {
    return undefined;
  }
}

/** On macOS. A zombie process counts as ended. */
function runPs(pid: number): ProcessInfo | undefined {
  try {
    const flags = ["-o", "ppid=,stat=,lstart=,args=", "-p", `${pid}`];
    // Without `LC_ALL`, ps would print the date in the user's language, in which it may have four words or six; without
    // `stdio`, its messages would appear on standard error.
    const env = { ...process.env, LC_ALL: "C" };
    const output = execFileSync("ps", flags, { encoding: "utf8", stdio: "pipe", env });
    // lstart has five words: Sat Nov 21 23:28:09 2026.
    const [parent, state = "Z", ...words] = output.trim().split(/ +/);
    if (state.startsWith("Z")) return undefined;
    return { parent: Number(parent), command: words.slice(5), startedAt: words.slice(0, 5).join(" ") };
  } catch {
    return undefined;
  }
}
