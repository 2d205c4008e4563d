import { clientOptionsFor } from "../client-options.ts";
import { checkFault } from "../faults/check-fault.ts";
import type { Fault } from "../faults/fault.ts";
import type {
  Fetch,
  Gate,
  InjectOptions,
  MockClientOptions,
  MockPlants,
  MockRequests,
  MockSession,
} from "../mock-plant-store.ts";
import type { Service } from "../service.ts";
import { INSPECT } from "./inspect.ts";
import { SessionPlants, SessionRequests } from "./session-lists.ts";
import { checkOpen, type RegisteredSession } from "./session-registry.ts";
import type { SessionState } from "./session-state.ts";
import { verify } from "./verify.ts";

/** `Symbol.dispose`, or the substitute that compiled `using` looks for if the runtime does not have it. */
export const DISPOSE: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for("Symbol.dispose");

const REGISTERED: unique symbol = Symbol("registered");

/** A session with its current state, for an adapter that shows more than the public members. */
export function registeredOf(session: MockSession): RegisteredSession {
  return (session as Session)[REGISTERED];
}

export function stateOf(session: MockSession): SessionState {
  return registeredOf(session).state;
}

export interface SessionInit {
  readonly service: Service;
  readonly registered: RegisteredSession;
  readonly token: string;
  readonly fetch: Fetch;
  /** Whether clients must use the in-memory fetch, because no adapter delivers their requests to the mock. */
  readonly isInMemory: boolean;
}

export class Session implements MockSession {
  readonly token: string;
  readonly fetch: Fetch;
  readonly plants: MockPlants;
  readonly requests: MockRequests;
  readonly #service: Service;
  readonly #registered: RegisteredSession;
  readonly #isInMemory: boolean;

  constructor({ service, registered, token, fetch, isInMemory }: SessionInit) {
    this.token = token;
    this.fetch = fetch;
    this.plants = new SessionPlants(registered);
    this.requests = new SessionRequests(registered);
    this.#service = service;
    this.#registered = registered;
    registered.session = this;
    this.#isInMemory = isInMemory;
  }

  get baseUrl(): string {
    return this.#service.baseUrl;
  }

  get clientOptions(): MockClientOptions {
    const options = clientOptionsFor(this.baseUrl, this.token);
    return this.#isInMemory ? { ...options, fetch: this.fetch } : options;
  }

  inject(fault: Fault, options?: InjectOptions): void {
    checkOpen(this.#registered, "inject");
    const checked = checkFault(fault);
    this.#service.checkAdapters(checked);
    this.#registered.state.faults.push(checked, options);
  }

  hold(): Gate {
    checkOpen(this.#registered, "hold");
    return this.#registered.state.hold();
  }

  reset(): void {
    this.#service.sessions.reset(this.#registered);
  }

  verify(): void {
    checkOpen(this.#registered, "verify");
    verify(this.#registered.state);
  }

  [DISPOSE](): void {
    this.#service.sessions.dispose(this.#registered);
  }

  get [REGISTERED](): RegisteredSession {
    return this.#registered;
  }

  [INSPECT](): object {
    return this.toJSON();
  }

  /** For JSON.stringify and assertion diffs. */
  toJSON(): object {
    const { baseUrl, plants, requests } = this;
    return { baseUrl, plants, requests };
  }
}
