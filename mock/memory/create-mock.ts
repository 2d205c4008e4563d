import { SERVICE } from "../service/adapter.ts";
import type {
  MockPlantStore,
  MockPlantStoreOptions,
  MockSession,
  MockSessionOptions,
} from "../service/mock-plant-store.ts";
import { checkToken, randomToken, readOptions } from "../service/options.ts";
import { Service } from "../service/service.ts";
import { Session } from "../service/sessions/session.ts";
import { createFetch } from "./fetch.ts";

/**
 * Makes the whole service in memory.
 *
 * @param options - What differs from the defaults.
 * @returns the mock: the root session, and the door to further ones.
 * @throws TypeError that names the option which is not valid.
 *
 * @example
 * {@includeCode ../../docs/code/testing/in-memory.ts}
 */
export function createMockPlantStore(options: MockPlantStoreOptions = {}): MockPlantStore {
  return createMock(options, { isInMemory: true });
}

/**
 * Makes the mock behind any of its forms.
 *
 * @param form - `isInMemory`: clients are to use `mock.fetch`, because nothing else brings their requests to the mock.
 */
export function createMock(options: MockPlantStoreOptions, form: { readonly isInMemory: boolean }): MockPlantStore {
  return new Root(new Service(readOptions(options)), form.isInMemory);
}

/** The {@link MockPlantStore}: the session of every request that belongs to no other one. */
class Root extends Session implements MockPlantStore {
  readonly [SERVICE]: Service;
  readonly #isInMemory: boolean;

  constructor(service: Service, isInMemory: boolean) {
    const { auth, outside } = service.choices;
    const token = auth?.token ?? randomToken("root");
    super({ service, slot: service.slots.root, token, fetch: createFetch(service, outside), isInMemory });
    this[SERVICE] = service;
    this.#isInMemory = isInMemory;
  }

  readonly handle = (request: Request): Promise<Response> => this.fetch(request);

  session({ tokens = [randomToken("session")] }: MockSessionOptions = {}): MockSession {
    const checked = tokens.map((token, index) => checkToken(token, `tokens[${index}]`));
    const [token] = checked;
    if (token === undefined) throw new TypeError("tokens: must name a token; leave the option out for a random one");
    const service = this[SERVICE];
    return new Session({
      service,
      slot: service.slots.open(checked, (used) => this.labelOf(used)),
      token,
      fetch: this.fetch,
      isInMemory: this.#isInMemory,
    });
  }

  labelOf(token: string): string {
    return this[SERVICE].labels.of(token);
  }
}
