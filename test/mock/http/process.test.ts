import { constants, fstatSync } from "node:fs";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { onParentExit } from "../../../mock/cli/parent.ts";
import type { ProcessHost } from "../../../mock/cli/run.ts";

// How the command uses its process; command.gate.test.ts tests a real one.
vi.mock("node:fs", async (original) => ({ ...(await original<typeof import("node:fs")>()), fstatSync: vi.fn() }));

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"];
const stdin = new PassThrough();
// Windows has no mode of its own for a socket. Node's isFIFO() and isSocket() are always false there.
const SOCKET = constants.S_IFSOCK ?? constants.S_IFIFO;
const MODES = { pipe: 0o010600, socket: SOCKET | 0o777, file: 0o100644, device: 0o020666 };
const kind = (is: keyof typeof MODES) => {
  vi.mocked(fstatSync).mockReturnValue({ mode: MODES[is], isFIFO: () => false, isSocket: () => false } as never);
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(process, "stdin", "get").mockReturnValue(stdin as never);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  stdin.removeAllListeners();
});

describe("onParentExit", () => {
  it.each([
    ["pipe", "end"],
    ["pipe", "close"],
    ["socket", "end"],
    ["socket", "error"],
  ] as const)("watches standard input, on Windows too: a %s whose event is %s", (is, event) => {
    kind(is);
    const callback = vi.fn();
    onParentExit(callback);
    stdin.emit(event);
    expect(callback).toHaveBeenCalledOnce();
  });

  it.each(["file", "device"] as const)("leaves any other standard input alone: a %s", (is) => {
    kind(is);
    onParentExit(() => {});
    expect(stdin.listenerCount("end")).toBe(0);
  });

  it("leaves a closed standard input alone", () => {
    vi.mocked(fstatSync).mockImplementation(() => {
      throw new Error("EBADF");
    });
    onParentExit(() => {});
    expect(stdin.listenerCount("end")).toBe(0);
  });

  it("notices a change of the parent process, and calls back once", () => {
    kind("file");
    const parent = vi.spyOn(process, "ppid", "get").mockReturnValue(100);
    vi.spyOn(process, "kill").mockReturnValue(true);
    const callback = vi.fn();
    onParentExit(callback);
    vi.advanceTimersByTime(1000);
    expect(callback).not.toHaveBeenCalled();
    parent.mockReturnValue(1);
    vi.advanceTimersByTime(2000);
    expect(callback).toHaveBeenCalledOnce();
  });

  it("notices the end of a parent process whose id stays, as on Windows", () => {
    kind("file");
    vi.spyOn(process, "ppid", "get").mockReturnValue(100);
    const kill = vi.spyOn(process, "kill").mockImplementation(() => {
      throw Object.assign(new Error("kill"), { code: "EPERM" }); // It runs as another user.
    });
    const callback = vi.fn();
    onParentExit(callback);
    vi.advanceTimersByTime(1000);
    expect(callback).not.toHaveBeenCalled();
    kill.mockImplementation(() => {
      throw Object.assign(new Error("kill"), { code: "ESRCH" });
    });
    vi.advanceTimersByTime(2000);
    expect(callback).toHaveBeenCalledOnce();
    expect(kill).toHaveBeenLastCalledWith(100, 0);
  });
});

describe("the executable file", () => {
  it("passes on arguments, streams and signals of the process, and exits with the status", async () => {
    vi.useRealTimers();
    const argv = vi.spyOn(process, "argv", "get").mockReturnValue(["node", "cli", "--port", "0", "--log", "silent"]);
    const exit = vi.spyOn(process, "exit").mockReturnValue(undefined as never);
    const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    // In any order: the test below replaces a module of it.
    vi.doUnmock("../../../mock/cli/run.ts");
    vi.resetModules();
    const running = import("../../../mock/cli.ts");
    await expect.poll(() => write.mock.calls.flat().join()).toContain('"ready":true');
    process.stderr.emit("error", new Error("EPIPE"));
    process.emit("SIGTERM", "SIGTERM");
    await running;
    expect(exit).toHaveBeenCalledExactlyOnceWith(0);
    for (const name of SIGNALS) process.removeAllListeners(name);
    argv.mockRestore();
  });

  it("ends with status 0 at a signal that arrives before the mock listens", async () => {
    vi.useRealTimers();
    const exit = vi.spyOn(process, "exit").mockReturnValue(undefined as never);
    let host: ProcessHost | undefined;
    let end = (_status: number) => {};
    const ended = new Promise<number>((resolve) => (end = resolve));
    vi.doMock("../../../mock/cli/run.ts", () => ({
      run: (_argv: readonly string[], given: ProcessHost) => {
        host = given;
        return ended;
      },
    }));
    vi.resetModules();
    const running = import("../../../mock/cli.ts");
    await expect.poll(() => host).toBeDefined();
    process.emit("SIGHUP", "SIGHUP");
    expect(exit).toHaveBeenCalledExactlyOnceWith(0);
    const onSignal = vi.fn();
    host?.onSignal(onSignal);
    process.emit("SIGHUP", "SIGHUP");
    expect(onSignal).toHaveBeenCalledExactlyOnceWith(1);
    end(0);
    await running;
    for (const name of SIGNALS) process.removeAllListeners(name);
    vi.doUnmock("../../../mock/cli/run.ts");
  });

  it("calibrates, and asks on the terminal", async () => {
    vi.useRealTimers();
    const argv = vi.spyOn(process, "argv", "get").mockReturnValue(["node", "cli", "calibrate", "https://sandbox.test"]);
    const exit = vi.spyOn(process, "exit").mockReturnValue(undefined as never);
    const close = vi.fn();
    const createInterface = () => ({ question: async (text: string) => `no to ${text}`, close });
    vi.doMock("node:readline/promises", () => ({ createInterface }));
    const run = vi.fn(async (_argv: readonly string[], { question }: ProcessHost) => {
      return (await question?.("Continue?")) === "no to Continue?" ? 7 : 1;
    });
    vi.doMock("../../../mock/calibrate/run.ts", () => ({ run }));
    vi.resetModules();
    const { isTTY } = process.stdin;
    process.stdin.isTTY = true;
    await import("../../../mock/cli.ts");
    process.stdin.isTTY = isTTY;
    expect(run.mock.lastCall?.[0]).toEqual(["calibrate", "https://sandbox.test"]);
    expect(exit).toHaveBeenCalledExactlyOnceWith(7);
    expect(close).toHaveBeenCalledOnce();
    for (const name of SIGNALS) process.removeAllListeners(name);
    argv.mockRestore();
    vi.doUnmock("../../../mock/calibrate/run.ts");
    vi.doUnmock("node:readline/promises");
  });
});
