import type { MockPlantStoreOptions } from "../service/mock-options.ts";
import type { Fetch, MockPlantStore, VirtualMockPlantStore } from "../service/mock-plant-store.ts";
import { type ResolvedOptions, resolveOptions } from "../service/resolve-options.ts";
import { Service } from "../service/service.ts";
import { createRootSession } from "../service/sessions/create-session.ts";
import type { VirtualClock } from "../time/virtual-clock.ts";
import { createFetch, createHandle, VIRTUAL_IN_MEMORY_ONLY } from "./fetch.ts";

/**
 * Creates the whole service in memory, with virtual time: waits take no real time.
 *
 * @param options - `time: "virtual"`, and options that differ from the defaults.
 * @returns The mock, with its clock.
 */
export function createMockPlantStore(options: MockPlantStoreOptions & { time: "virtual" }): VirtualMockPlantStore;
/**
 * Creates the whole service in memory. Pass its `clientOptions` to `new PlantStoreClient`, or its `fetch` to code that
 * sends requests by itself.
 *
 * @param options - Options that differ from the defaults.
 * @returns The mock. It is also a session: it receives every request whose token belongs to no other session.
 * @throws TypeError that names the invalid option.
 * @throws Error if the environment lacks a global that the mock needs, such as `Response`.
 *
 * @example
 * {@includeCode ../../docs/code/testing/in-memory.ts#plant}
 */
export function createMockPlantStore(options?: MockPlantStoreOptions): MockPlantStore;
export function createMockPlantStore(options: MockPlantStoreOptions = {}): MockPlantStore {
  checkGlobals();
  return createMock(resolveOptions(options), true).mock;
}

/**
 * Creates a mock for an adapter.
 *
 * @param isInMemory - Whether clients must use `mock.fetch`, because no adapter delivers their requests to the mock.
 * @param simulated - Of a simulated run: its clock at each time, and what creates the `fetch` of the mock and its sessions.
 * @returns The mock, and the service behind it.
 */
export function createMock(
  options: ResolvedOptions,
  isInMemory = false,
  simulated?: { clock(): VirtualClock; fetchOf(service: Service): Fetch },
): { mock: MockPlantStore; service: Service } {
  if (options.virtualClock && !isInMemory) throw new TypeError(`time: ${VIRTUAL_IN_MEMORY_ONLY}`);
  const service = new Service(options);
  const fetch = simulated ? simulated.fetchOf(service) : createFetch(service);
  const mock = createRootSession({ service, isInMemory, fetch }, createHandle(service));
  const get = () => simulated?.clock() ?? options.virtualClock;
  return { mock: get() ? Object.defineProperty(mock, "clock", { get, enumerable: true }) : mock, service };
}

/** Globals that some test environments lack, such as jest-environment-jsdom, and jsdom in Vitest's vmThreads. */
const GLOBALS = ["Headers", "Request", "Response", "ReadableStream", "TextDecoder", "TextEncoder", "crypto"] as const;

/**
 * Called first by every adapter except the server, because even the default token needs crypto. The server does not
 * call it: in Node, reading `Response` loads `fetch`, which takes 7 MB.
 *
 * @throws Error that names the missing globals.
 */
export function checkGlobals(): void {
  const missing = GLOBALS.filter((name) => globalThis[name] === undefined);
  if (missing.length === 0) return;
  throw new Error(
    `the mock needs these globals, which are missing here: ${missing.join(", ")}; ` +
      "load polyfills, or use a test environment that keeps those of Node, such as jest-fixed-jsdom, or in Vitest the pool forks",
  );
}
