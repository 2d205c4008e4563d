import type { Gate, MockPlantStore, MockSession, MockSessionOptions } from "../../service/mock-plant-store.ts";
import { DISPOSE, stateOf } from "../../service/sessions/session.ts";
import { ControlError, NO_SESSION_CODE } from "./control-error.ts";
import { nameOf } from "./names.ts";

/** A session as the control API lists it: with the label of its token instead of the token. */
export interface SessionInfo {
  readonly session: string;
  readonly baseUrl: string;
  readonly label: string;
}

/**
 * The sessions and gates that control calls refer to by name. Names are random: otherwise a client that connected
 * before a restart of the mock could control another client's session.
 */
export class OpenSessions {
  readonly #root: MockPlantStore;
  readonly #sessions = new Map<string, MockSession>();
  /** The newest gates created here, oldest first. They stay known after their release. */
  readonly #gates = new Map<string, Gate>();

  constructor(root: MockPlantStore) {
    this.#root = root;
    this.#sessions.set("root", root);
  }

  /** The open sessions by name, the root first. */
  get entries(): (readonly [name: string, session: MockSession])[] {
    return [...this.#sessions];
  }

  get all(): SessionInfo[] {
    return [...this.#sessions].map(([name, session]) => this.#describe(name, session));
  }

  has(session: MockSession): boolean {
    return session === this.#root || this.#sessions.has(nameOf(session, "session"));
  }

  open(options: MockSessionOptions): SessionInfo & { readonly token: string } {
    const session = this.#root.session(options);
    const name = nameOf(session, "session");
    this.#sessions.set(name, session);
    return { ...this.#describe(name, session), token: session.token };
  }

  /** @throws {@link ControlError} with status 404. */
  get(name: string): MockSession {
    const session = this.#sessions.get(name);
    if (session !== undefined) return session;
    const message = `unknown session ${JSON.stringify(name)}; GET /_mock/sessions lists the open ones`;
    throw new ControlError(404, message, [], NO_SESSION_CODE);
  }

  /** @throws {@link ControlError} with status 404, or 400 for the root. */
  dispose(name: string): void {
    const session = this.get(name);
    if (name === "root") throw new ControlError(400, "session: the root cannot be disposed; use POST /_mock/reset");
    this.#sessions.delete(name);
    session[DISPOSE]();
  }

  hold(name: string): string {
    const held = this.get(name).hold();
    const gate = nameOf(held, "gate");
    this.#gates.set(gate, held);
    if (this.#gates.size > KEPT_GATES) this.#gates.delete(this.#gates.keys().next().value as string);
    return gate;
  }

  /** @throws {@link ControlError} with status 404. */
  gate(name: string): Gate {
    const gate = this.#gates.get(name) ?? this.#closedGate(name);
    if (gate !== undefined) return gate;
    throw new ControlError(404, `unknown gate ${JSON.stringify(name)}; POST /_mock/gates creates one`);
  }

  /** A closed gate that is not among the kept ones: the mock's own process created it, or many others followed it. */
  #closedGate(name: string): Gate | undefined {
    const closed = [...this.#sessions.values()].flatMap((session) => [...stateOf(session).gates]);
    return closed.find((candidate) => nameOf(candidate, "gate") === name);
  }

  #describe(session: string, { baseUrl, token }: MockSession): SessionInfo {
    return { session, baseUrl, label: this.#root.labelOf(token) };
  }
}

/** How many gates stay known, so that a test can ask a released gate for its arrivals. */
const KEPT_GATES = 10_000;
