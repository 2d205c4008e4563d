import type { Gate, MockPlantStore, MockSession, MockSessionOptions } from "../../service/mock-plant-store.ts";
import { DISPOSE } from "../../service/sessions/session.ts";
import { ControlError } from "./control-error.ts";

/** A session as the control API describes it. */
export interface SessionInfo {
  readonly session: string;
  readonly baseUrl: string;
  readonly token: string;
}

/** The sessions and gates that control calls speak of, by names that are no secret. */
export class OpenSessions {
  readonly #root: Pick<MockPlantStore, "session">;
  readonly #sessions = new Map<string, MockSession>();
  readonly #gates = new Map<string, Gate>();
  #opened = 0;
  #held = 0;

  constructor(root: MockPlantStore) {
    this.#root = root;
    this.#sessions.set("root", root);
  }

  get all(): SessionInfo[] {
    return [...this.#sessions].map(([name, session]) => describe(name, session));
  }

  open(options: MockSessionOptions): SessionInfo {
    const session = this.#root.session(options);
    const name = `session-${++this.#opened}`;
    this.#sessions.set(name, session);
    return describe(name, session);
  }

  /** @throws {@link ControlError} with status 404. */
  get(name: string): MockSession {
    const session = this.#sessions.get(name);
    if (session !== undefined) return session;
    throw new ControlError(404, `session: there is no ${JSON.stringify(name)}; GET /_mock/sessions lists them`);
  }

  /** @throws {@link ControlError} with status 404, or 400 for the root. */
  dispose(name: string): void {
    const session = this.get(name);
    if (name === "root") throw new ControlError(400, "session: the root cannot be disposed of; POST /_mock/reset does");
    this.#sessions.delete(name);
    session[DISPOSE]();
  }

  hold(name: string): string {
    const gate = `gate-${++this.#held}`;
    this.#gates.set(gate, this.get(name).hold());
    if (this.#gates.size > KEPT_GATES) this.#gates.delete(this.#gates.keys().next().value as string);
    return gate;
  }

  /** @throws {@link ControlError} with status 404. */
  gate(name: string): Gate {
    const gate = this.#gates.get(name);
    if (gate !== undefined) return gate;
    throw new ControlError(404, `gate: there is no ${JSON.stringify(name)}; POST /_mock/gates makes one`);
  }
}

/** A gate stays known when it is open: a test may still ask who arrived. */
const KEPT_GATES = 10_000;

function describe(session: string, { baseUrl, token }: MockSession): SessionInfo {
  return { session, baseUrl, token };
}
