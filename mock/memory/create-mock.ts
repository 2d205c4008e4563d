import { SERVICE } from "../service/adapter.ts";
import { checkOptions } from "../service/check-options.ts";
import type { MockPlantStoreOptions } from "../service/mock-options.ts";
import type { MockPlantStore, MockSession, MockSessionOptions } from "../service/mock-plant-store.ts";
import { resolveOptions } from "../service/options.ts";
import { Service } from "../service/service.ts";
import { Session } from "../service/sessions/session.ts";
import { checkToken, randomToken } from "../service/tokens.ts";
import { createFetch } from "./fetch.ts";

/**
 * Makes the whole service in memory.
 *
 * @param options - What differs from the defaults.
 * @returns the mock: the root session, which opens further ones.
 * @throws TypeError that names the option which is not valid.
 *
 * @example
 * {@includeCode ../../docs/code/testing/in-memory.ts}
 */
export function createMockPlantStore(options: MockPlantStoreOptions = {}): MockPlantStore {
  return createMock(options, { isInMemory: true });
}

/** What a form of the mock adds to it. */
export interface MockForm {
  /** Clients are to use `mock.fetch`, because nothing else brings their requests to the mock. */
  readonly isInMemory: boolean;
  /** The names of options that the form has in addition, and checks itself. */
  readonly optionNames?: readonly string[];
}

/** Makes the mock behind any of its forms. */
export function createMock(options: MockPlantStoreOptions, { isInMemory, optionNames = [] }: MockForm): MockPlantStore {
  checkGlobals();
  return new RootSession(new Service(resolveOptions(options, optionNames)), isInMemory);
}

/** What the mock needs of its runtime. Some test environments, such as that of Jest for jsdom, lack part of it. */
const GLOBALS = ["Headers", "Request", "Response", "ReadableStream", "TextDecoder", "TextEncoder", "crypto"] as const;

function checkGlobals(): void {
  const missing = GLOBALS.filter((name) => globalThis[name] === undefined);
  if (missing.length === 0) return;
  throw new Error(
    `the mock needs ${missing.join(", ")} as globals; this environment has none: ` +
      "take one that keeps Node's own, such as jest-fixed-jsdom",
  );
}

/** The {@link MockPlantStore}: the session of every request that belongs to no other one. */
class RootSession extends Session implements MockPlantStore {
  readonly [SERVICE]: Service;
  readonly #isInMemory: boolean;

  constructor(service: Service, isInMemory: boolean) {
    const { auth, outside } = service.options;
    const token = auth?.token ?? randomToken("root");
    super({ service, registered: service.sessions.root, token, fetch: createFetch(service, outside), isInMemory });
    this[SERVICE] = service;
    this.#isInMemory = isInMemory;
  }

  readonly handle = (request: Request): Promise<Response> => this.fetch(request);

  session(options?: MockSessionOptions): MockSession {
    const { tokens = [randomToken("session")] } = checkOptions(options, ["tokens"]);
    if (!Array.isArray(tokens)) throw new TypeError("tokens: must be an array of tokens");
    const checked = tokens.map((token, index) => checkToken(token, `tokens[${index}]`));
    const [token] = checked;
    if (token === undefined) throw new TypeError("tokens: must name a token; leave the option out for a random one");
    const service = this[SERVICE];
    return new Session({
      service,
      registered: service.sessions.open(checked),
      token,
      fetch: this.fetch,
      isInMemory: this.#isInMemory,
    });
  }

  labelOf(token: string): string {
    return this[SERVICE].labels.of(token);
  }
}
