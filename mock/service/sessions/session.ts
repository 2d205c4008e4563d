import { kindOf } from "../../../src/checks/describe.ts";
import { isInsecure } from "../../../src/checks/http/base-url.ts";
import { DISPOSE } from "../../time/runtime.ts";
import { checkToken, randomToken, sessionRules } from "../bearer-tokens.ts";
import { checkOptions } from "../check-options.ts";
import { checkFault, checkReproducible } from "../faults/fault.ts";
import type { Fault } from "../faults/fault-table.ts";
import type {
  Fetch,
  Gate,
  InjectOptions,
  MockClientOptions,
  MockPlantStore,
  MockPlants,
  MockRequests,
  MockSession,
  MockSessionOptions,
} from "../mock-plant-store.ts";
import type { Service } from "../service.ts";
import { INSPECT, SessionPlants, SessionRequests } from "./session-lists.ts";
import { checkOpen, type SessionEntry } from "./session-registry.ts";
import { verify } from "./verify.ts";

interface SessionInit {
  readonly service: Service;
  readonly entry: SessionEntry;
  readonly token: string;
  readonly fetch: Fetch;
  /** Whether clients must use the in-memory fetch, because no adapter delivers their requests to the mock. */
  readonly isInMemory: boolean;
}

class Session implements MockSession {
  readonly token: string;
  readonly fetch: Fetch;
  readonly plants: MockPlants;
  readonly requests: MockRequests;
  readonly #service: Service;
  readonly #entry: SessionEntry;
  readonly #isInMemory: boolean;

  constructor({ service, entry, token, fetch, isInMemory }: SessionInit) {
    this.token = token;
    this.fetch = fetch;
    this.plants = new SessionPlants(entry);
    this.requests = new SessionRequests(entry);
    this.#service = service;
    this.#entry = entry;
    entry.session = this;
    this.#isInMemory = isInMemory;
  }

  get baseUrl(): string {
    return this.#service.baseUrl;
  }

  get clientOptions(): MockClientOptions {
    const { backoff, ...options } = clientOptionsFor(this.baseUrl, this.token);
    const { virtualClock: clock, simulation } = this.#service.options;
    const fetch = this.#isInMemory && { fetch: this.fetch };
    // In a simulated run the client reads the globals of time.
    return { ...options, ...fetch, ...(clock ? { clock } : !simulation && { backoff }) };
  }

  inject(fault: Fault, options?: InjectOptions): void {
    checkOpen(this.#entry, "inject");
    const checked = checkFault(fault);
    if (!this.#isInMemory) checkReproducible(checked);
    this.#entry.state.faults.add(checked, options);
  }

  hold(): Gate {
    checkOpen(this.#entry, "hold");
    return this.#entry.state.hold();
  }

  reset(): void {
    this.#service.sessions.reset(this.#entry);
  }

  verify(): void {
    checkOpen(this.#entry, "verify");
    verify(this.#entry.state);
  }

  close(): void {
    this.#service.sessions.dispose(this.#entry);
  }

  /** Adapters replace `close`. */
  [DISPOSE](): void {
    this.close();
  }

  [INSPECT](): object {
    const { baseUrl, plants, requests } = this;
    return { baseUrl, plants, requests };
  }
}

/** Options of a client that sends its requests to this address. */
export function clientOptionsFor(baseUrl: string, token: string) {
  return { baseUrl, token, backoff: { initialMs: 0 }, ...(isInsecure(baseUrl) && { allowInsecure: true as const }) };
}

/** What an adapter gives the root session; every session has the same `fetch`. */
type RootInit = Pick<SessionInit, "service" | "fetch" | "isInMemory"> & Pick<MockPlantStore, "handle">;

/** Creates the {@link MockPlantStore}: the session of every request that belongs to no other session. */
export function createRootSession({ handle, ...shared }: RootInit): MockPlantStore {
  const { service } = shared;
  const { options, sessions, labels } = service;
  const token = options.auth?.token ?? randomToken("root", options.clock);

  const session = (given?: MockSessionOptions): MockSession => {
    const { tokens = [randomToken("session", options.clock)] } = checkOptions(given, sessionRules);
    const checked = tokens.map((own, index) => checkToken(own, `tokens[${index}]`));
    const [first] = checked;
    if (first === undefined) throw new TypeError("tokens: must not be empty; omit the option for a random token");
    return new Session({ ...shared, entry: sessions.open(checked), token: first });
  };
  const labelOf = (bearer: string): string => {
    if (typeof bearer !== "string") throw new TypeError(`token: must be a string, not ${kindOf(bearer)}`);
    return labels.of(bearer);
  };
  const root = new Session({ ...shared, entry: sessions.root, token });
  return Object.assign(root, { handle, session, labelOf, close: () => service.close() });
}
