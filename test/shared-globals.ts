import { ServerResponse } from "node:http";
import { Socket } from "node:net";
import { afterAll, expect, vi } from "vitest";

// The test files of the project `shared` run one after the other in the same worker: a global that one of them replaces,
// or a listener that it leaves on the process, would be met by the next.

const HOLDERS: Record<string, object> = {
  globalThis,
  process,
  console,
  Symbol,
  Math,
  Date,
  performance,
  "Object.prototype": Object.prototype,
  "Array.prototype": Array.prototype,
  "Promise.prototype": Promise.prototype,
  "Socket.prototype": Socket.prototype,
  "ServerResponse.prototype": ServerResponse.prototype,
};

const LAZY = "not loaded yet";

/**
 * Whether a change is that of a module which was loaded: Node loads some globals when they are first read,
 * node:worker_threads and playwright-core wrap two functions of the process, and modules keep state of their own.
 */
const isLoaded = (name: string) =>
  before.get(name) === LAZY ||
  ["process.chdir", "process.cwd"].includes(name) ||
  (!before.has(name) && /^globalThis\.(__|Symbol\()/.test(name));

/** What every file must leave as it was, by its name. */
function observe(): Map<string, unknown> {
  const seen = new Map<string, unknown>();
  for (const [name, holder] of Object.entries(HOLDERS)) {
    for (const key of Reflect.ownKeys(holder)) {
      const { value, get } = Reflect.getOwnPropertyDescriptor(holder, key) ?? {};
      seen.set(`${name}.${String(key)}`, get === undefined ? value : LAZY);
    }
  }
  for (const [name, value] of Object.entries(process.env)) seen.set(`process.env.${name}`, value);
  for (const name of process.eventNames()) {
    seen.set(`process.on(${String(name)})`, process.listenerCount(name));
  }
  return seen;
}

const before = observe();

afterAll(() => {
  const areTimersFake = vi.isFakeTimers();
  vi.useRealTimers();
  // Vitest does these before each test: those of the last test are left.
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  const after = observe();
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => !Object.is(before.get(name), after.get(name)) && !isLoaded(name),
  );
  expect({ changed: changed.sort(), areTimersFake }).toEqual({ changed: [], areTimersFake: false });
});
