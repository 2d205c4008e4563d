import type { MockPlantStore, MockSession, MockSessionOptions } from "../../service/mock-plant-store.ts";
import type { HeldGate } from "../../service/sessions/gate.ts";
import { DISPOSE } from "../../service/sessions/session.ts";
import type { SessionEntry, SessionRegistry } from "../../service/sessions/session-registry.ts";
import { ControlError, NO_SESSION_CODE } from "./control-error.ts";

/** A session that a control call has opened. */
export interface OpenedSession {
  readonly session: string;
  readonly baseUrl: string;
  readonly token: string;
}

/**
 * The open sessions and the gates that control calls refer to by name. Names are random: otherwise a client that
 * connected before a restart of the mock could control another client's session.
 */
export class OpenSessions {
  readonly #root: MockPlantStore;
  readonly #registry: SessionRegistry;
  /** The newest gates created here, oldest first. They stay known after their release. */
  readonly #gates = new Map<string, HeldGate>();

  constructor(root: MockPlantStore, registry: SessionRegistry) {
    this.#root = root;
    this.#registry = registry;
  }

  open(options: MockSessionOptions): OpenedSession {
    const { token } = this.#root.session(options);
    const { name } = this.#registry.of(token);
    return { session: name, baseUrl: this.#root.baseUrl, token };
  }

  /** @throws {@link ControlError} with status 404. */
  get(name: string): { session: MockSession; opened: SessionEntry } {
    const opened = this.#registry.get(name);
    if (opened !== undefined) return { session: opened.session as MockSession, opened };
    const message = `unknown session ${JSON.stringify(name)}; GET /_mock/state lists the open ones`;
    throw new ControlError(404, message, [], NO_SESSION_CODE);
  }

  /** @throws {@link ControlError} with status 404, or 400 for the root. */
  dispose(name: string): void {
    const { session } = this.get(name);
    if (name === "root") throw new ControlError(400, "session: the root cannot be disposed; use POST /_mock/reset");
    session[DISPOSE]();
  }

  hold({ state }: SessionEntry): string {
    const gate = state.hold();
    this.#gates.set(gate.name, gate);
    if (this.#gates.size > KEPT_GATES) this.#gates.delete(this.#gates.keys().next().value as string);
    return gate.name;
  }

  /** @throws {@link ControlError} with status 404. */
  gate(name: string): HeldGate {
    const gate = this.#gates.get(name) ?? this.#closedGate(name);
    if (gate !== undefined) return gate;
    throw new ControlError(404, `unknown gate ${JSON.stringify(name)}; POST /_mock/gates creates one`);
  }

  /** A closed gate that is not among the kept ones: the mock's own process created it, or many others followed it. */
  #closedGate(name: string): HeldGate | undefined {
    const closed = [...this.#registry].flatMap(({ state }) => [...state.gates]);
    return closed.find((gate) => gate.name === name);
  }
}

/** How many gates stay known, so that a test can ask a released gate for its arrivals. */
const KEPT_GATES = 10_000;
