import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { ancestorsOf, type FindProcess, type ProcessInfo, processFinder } from "../../../mock/cli/ancestors.ts";

/** A process is in the session of its parent, unless its row names another. */
type Row = [parent: number, command: string, session?: number];

const table = (processes: Record<number, Row>): FindProcess => {
  return (pid): ProcessInfo | undefined => {
    const [parent, command, session = 1] = processes[pid] ?? [];
    if (parent === undefined || command === undefined) return undefined;
    return { parent, command: command.split(" "), session, startedAt: `start of ${pid}` };
  };
};

const MOCK = "node /app/node_modules/.bin/plant-store-mock";
const NPM_SHELL = "sh -c plant-store-mock";

describe("the ancestors of the command", () => {
  it.each([
    ["a test runner", { 9: [8, "/usr/bin/python3 -m pytest"], 8: [1, "bash"] }, [9]],
    [
      "npx, by its title, in a shell of a test runner",
      {
        9: [8, NPM_SHELL],
        8: [7, "npm exec plant-store-mock"],
        7: [6, "-zsh"],
        6: [5, "node /app/node_modules/.bin/jest"],
        5: [1, "bash"],
      },
      [9, 8, 7, 6],
    ],
    ["pnpm as a script of Node", { 9: [8, "/usr/bin/node /usr/lib/pnpm.cjs exec x"], 8: [1, "go test"] }, [9, 8]],
    ["npx as a script of Node on the first process", { 9: [1, "node /usr/bin/npx x"], 1: [0, "init"] }, [9]],
    ["npx with a time limit", { 9: [8, "npm exec x"], 8: [7, "timeout 9 npx x"], 7: [1, "jest"] }, [9, 8, 7]],
    ["a process that has ended", {}, []],
    ["a table that goes round", { 9: [8, "sh"], 8: [9, "sh"] }, [9, 8]],
    ["a program whose name begins with node", { 9: [8, "nodemon npm"], 8: [1, "bash"] }, [9]],
    ["a program whose name ends with node", { 9: [8, "ts-node npm"], 8: [1, "bash"] }, [9]],
    ["a program whose name begins like a shell's", { 9: [8, "shark"], 8: [1, "python"] }, [9]],
    ["a program whose name ends like a shell's", { 9: [8, "crash"], 8: [1, "python"] }, [9]],
    ["a program whose name begins like a package runner's", { 9: [8, "npmx"], 8: [1, "python"] }, [9]],
    ["a program whose name ends like a package runner's", { 9: [8, "my-npm"], 8: [1, "python"] }, [9]],
    ["a test runner whose parent has ended", { 9: [1, "jest", 5], 1: [0, "init"], 10: [9, MOCK, 5] }, [9]],
    ["a terminal", { 9: [8, "-zsh", 9], 8: [1, "terminal"], 10: [9, MOCK, 9] }, [9, 8]],
    [
      "npm whose parent has ended",
      { 9: [8, NPM_SHELL, 5], 8: [1, "npm run ci", 5], 1: [0, "init"], 10: [9, MOCK, 5] },
      [9, 8],
    ],
    ["a session of its own", { 9: [1, "jest"], 10: [9, MOCK, 10] }, [9]],
  ] as [string, Record<number, Row>, number[]][])("with %s", (_what, processes, expected) => {
    const ancestors = ancestorsOf(10, table({ 10: [9, MOCK], ...processes }), true);
    expect([...(ancestors ?? [])].map(([pid]) => pid)).toEqual(expected);
  });

  it("are not known if its parent has ended", () => {
    const adopted = table({ 10: [1, MOCK, 5], 1: [0, "init"] });
    expect(ancestorsOf(10, adopted, false)).toBeUndefined();
  });

  it("are not known if the package runner of its shell has ended", () => {
    const adopted = table({ 10: [9, MOCK, 5], 9: [1, NPM_SHELL, 5], 1: [0, "init"] });
    expect(ancestorsOf(10, adopted, true)).toBeUndefined();
  });

  it("are not known if another package runner adopted the shell of its own", () => {
    const adopted = table({ 10: [9, MOCK, 5], 9: [1, NPM_SHELL, 5], 1: [0, "npm test"] });
    expect(ancestorsOf(10, adopted, true)).toBeUndefined();
  });

  it.each([
    ["its shell", { 9: [1, NPM_SHELL] }],
    ["itself", {}],
  ] as [string, Record<number, Row>][])(
    "are not known if a package runner has ended and the first process of a container adopted %s",
    (_what, processes) => {
      const adopted = table({ 10: [9 in processes ? 9 : 1, MOCK], ...processes, 1: [0, "bash ci.sh"] });
      expect(ancestorsOf(10, adopted, true)).toBeUndefined();
    },
  );

  it.each([
    ["a test runner", "node jest", false],
    ["a package runner", "npm run mock", true],
  ])("are known if %s is the first process of a container", (_what, command, hasRunner) => {
    const container = table({ 10: [9, MOCK], 9: [1, "sh -c plant-store-mock"], 1: [0, command] });
    expect([...(ancestorsOf(10, container, hasRunner) as Map<number, string>).keys()]).toEqual([9]);
  });

  it("are known in a shell that goes on as a daemon", () => {
    const daemon = table({ 10: [9, MOCK, 5], 9: [1, "bash ci.sh", 5], 1: [0, "init"] });
    expect([...(ancestorsOf(10, daemon, false) as Map<number, string>).keys()]).toEqual([9]);
  });
});

describe.runIf(process.platform === "linux")("a process on Linux", () => {
  const findProcess = processFinder("linux");
  let child: ChildProcess | undefined;
  afterEach(() => child?.kill("SIGKILL"));

  it("has its parent, command and start time, until it has ended", async () => {
    child = spawn("sleep", ["100"]);
    await once(child, "spawn");
    const pid = child.pid as number;
    // The kernel shows the arguments of a new program shortly after it has closed the descriptors of the old one, which
    // Node waits for.
    await expect.poll(() => findProcess(pid)?.command.slice(0, 2)).toEqual(["sleep", "100"]);
    expect(findProcess(pid)).toMatchObject({
      parent: process.pid,
      session: findProcess(process.pid)?.session,
      startedAt: expect.stringMatching(/^\d+$/),
    });
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
    expect(findProcess(pid)).toBeUndefined();
  });

  it("that is a zombie counts as ended", async () => {
    // The shell starts a process, and becomes a program that never waits for it. Only then may the process end: a shell
    // would collect it.
    child = spawn("sh", ["-c", "head -c 1 <&3 >&2 & echo $!; exec sleep 100"], {
      stdio: ["ignore", "pipe", "ignore", "pipe"],
    });
    const { pid, stdio } = child as ChildProcess & { pid: number };
    const [text] = await once(stdio[1] as Readable, "data");
    await expect.poll(() => findProcess(pid)?.command[0]).toBe("sleep");
    expect(findProcess(Number(text))).toBeDefined();
    (stdio[3] as Writable).write("x");
    await expect.poll(() => findProcess(Number(text))).toBeUndefined();
    expect(() => process.kill(Number(text), 0)).not.toThrow();
  });
});

// A stand-in for ps, which Windows could not start.
describe.skipIf(process.platform === "win32")("a process on macOS", () => {
  const findProcess = processFinder("darwin");
  const { PATH } = process.env;
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "ps-"));
    process.env.PATH = `${folder}:${PATH}`;
  });
  afterAll(() => {
    process.env.PATH = PATH;
    rmSync(folder, { recursive: true });
  });

  /** What `ps` prints; `DATE` is the start time, in the user's language unless `LC_ALL=C`. */
  const print = (line: string) =>
    writeFileSync(
      join(folder, "ps"),
      `#!/bin/sh
if [ "$*" != "-o ppid=,stat=,lstart=,args= -p 7" ]; then echo no >&2; exit 1; fi
if [ "$LC_ALL" = C ]; then date="Sat Nov 21 23:28:09 2026"; else date="土 11/21 23:28:09 2026"; fi
printf "%s\\n" "${line}" | sed "s|DATE|$date|"
`,
      { mode: 0o755 },
    );

  it("has its parent, command and start time, as ps prints them", () => {
    print("  501 S+   DATE     npm exec plant-store-mock");
    expect(findProcess(7)).toEqual({
      parent: 501,
      command: ["npm", "exec", "plant-store-mock"],
      startedAt: "Sat Nov 21 23:28:09 2026",
    });
  });

  it.each(["  501 Z    DATE     (npm)", "  501 Z+   DATE     (npm)", ""])("has ended if ps prints %j", (line) => {
    print(line);
    expect(findProcess(7)).toBeUndefined();
  });

  it("has ended if ps does not find it", () => {
    print("  501 S+   DATE     sh");
    const stderr = vi.spyOn(process.stderr, "write");
    expect(findProcess(8)).toBeUndefined();
    expect(stderr).not.toHaveBeenCalled();
    stderr.mockRestore();
  });
});

it("no process is found on other platforms", () => {
  expect(processFinder("win32")(process.pid)).toBeUndefined();
});
