import { requestTurn } from "./macrotask.ts";

/** What Node tells about real work; other runtimes tell nothing. */
interface NodeProcess {
  readonly versions?: Readonly<Record<string, string>>;
  readonly stdout: unknown;
  readonly stderr: unknown;
  getActiveResourcesInfo?(): string[];
}

/** The names of requests of Node, such as `FSReqCallback`, and of its handles, such as `TCPSocketWrap`. */
const REQUEST = /Req|Immediate/;
const HANDLE = /Wrap$/;

/** Deno needs so many turns, e.g. for a Request that is made of a Blob. Node shows what is under way. */
const UNSEEN_TURNS = 20;

/** What no runtime shows. */
export const UNSEEN =
  "crypto, zlib, workers, timers that were captured before the run, and those of an earlier run (create limiters within " +
  "the scenario) are not seen, nor files on Bun, Deno and Node 26, nor, on Bun and Deno, named imports of node:timers: " +
  "hold the time for them with clock.hold(what)";

/**
 * Real work of the process that its runtime shows: files, sockets, child processes. Node shows it, at half a microsecond a
 * look. Timers of the process never count: a test runner always has some.
 */
export class RealWork {
  readonly #process: NodeProcess | undefined;
  /** The runtime's own, in which real work gets its turn as well. */
  readonly #setImmediate = globalThis.setImmediate as typeof setImmediate | undefined;
  /** How many handles were open at the start: those of others. */
  readonly #handles: number;

  constructor(process: NodeProcess | undefined = (globalThis as { process?: NodeProcess }).process) {
    this.#process = process;
    // A first console.log would open them in the middle.
    void [this.#process?.stdout, this.#process?.stderr];
    this.#handles = this.#active.filter((name) => HANDLE.test(name)).length;
  }

  get #active(): readonly string[] {
    return this.#process?.getActiveResourcesInfo?.() ?? [];
  }

  /** How many turns without an event show that nothing is under way. */
  get quietTurns(): number {
    const { bun, deno } = this.#process?.versions ?? {};
    return bun || deno ? UNSEEN_TURNS : 1;
  }

  /** What is under way, in words. */
  get words(): string {
    // The clock looks at it by immediates of its own.
    const names = [...new Set(this.underWay)].filter((name) => name !== "Immediate").join(" and ");
    return names
      ? `real work that does not end: ${names}; open lasting connections before the simulation`
      : `a promise that nothing settles; ${UNSEEN}`;
  }

  /** What is under way: requests always, because a finished one lingers, and more handles than at the start. */
  get underWay(): readonly string[] {
    const active = this.#active;
    const requests = active.filter((name) => REQUEST.test(name));
    const handles = active.filter((name) => HANDLE.test(name));
    return handles.length > this.#handles ? [...requests, ...handles] : requests;
  }

  /** Calls back after real work has had its turn. */
  requestTurn(callback: () => void): void {
    // A browser has none, and its timers wait for 4 ms each.
    if (this.#setImmediate) this.#setImmediate(callback);
    else requestTurn(callback);
  }
}
