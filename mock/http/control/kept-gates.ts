import type { HeldGate } from "../../service/sessions/gate.ts";
import type { SessionRegistry } from "../../service/sessions/session-registry.ts";
import type { SessionState } from "../../service/sessions/session-state.ts";
import { ControlError } from "./control-error.ts";

/** The gates that control calls refer to by name. */
export class KeptGates {
  readonly #sessions: SessionRegistry;
  /** The newest gates created here, oldest first. They stay known after their release. */
  readonly #gates = new Map<string, HeldGate>();

  constructor(sessions: SessionRegistry) {
    this.#sessions = sessions;
  }

  /** Creates a gate; returns its name. */
  hold(state: SessionState): string {
    const gate = state.hold();
    this.#gates.set(gate.name, gate);
    if (this.#gates.size > KEPT) this.#gates.delete(this.#gates.keys().next().value as string);
    return gate.name;
  }

  /** @throws {@link ControlError} with status 404. */
  get(name: string): HeldGate {
    const gate = this.#gates.get(name) ?? this.#closedGate(name);
    if (gate !== undefined) return gate;
    throw new ControlError(404, `unknown gate ${JSON.stringify(name)}; POST /_mock/gates creates one`);
  }

  /** A closed gate that is not among the kept ones: the mock's own process created it, or many others followed it. */
  #closedGate(name: string): HeldGate | undefined {
    const closed = [...this.#sessions].flatMap(({ state }) => [...state.gates]);
    return closed.find((gate) => gate.name === name);
  }
}

/** How many gates stay known, so that a test can ask a released gate for its arrivals. */
const KEPT = 10_000;
