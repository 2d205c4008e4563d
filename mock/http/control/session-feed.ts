import type { Writable } from "node:stream";
import type { MockSession } from "../../service/mock-plant-store.ts";
import { stateOf } from "../../service/sessions/session.ts";
import type { SessionState } from "../../service/sessions/session-state.ts";
import { encodeExactJson } from "../exact-json.ts";
import { describeFault, describeGate, type FaultInfo, type GateInfo } from "./inspection.ts";
import { JournalFeed, keepsUp } from "./journal-feed.ts";
import type { OpenSessions, SessionInfo } from "./open-sessions.ts";

interface Overview {
  readonly baseUrl: string;
  readonly sessions: readonly SessionInfo[];
  readonly requests: number;
  readonly plants: number;
  readonly faults: readonly FaultInfo[];
  readonly gates: readonly GateInfo[];
}

/**
 * Streams the changes of a session as lines of JSON, optionally with the requests of all other sessions. It polls ten
 * times a second and compares a few counters, so that watching does not slow the service down.
 */
export class SessionFeed {
  readonly #output: Writable;
  readonly #session: MockSession;
  readonly #sessions: OpenSessions;
  readonly #isOfAll: boolean;
  readonly #journals = new Map<string, JournalFeed>();
  #overview = "";

  constructor(output: Writable, session: MockSession, sessions: OpenSessions, isOfAll = false) {
    this.#output = output;
    this.#session = session;
    this.#sessions = sessions;
    this.#isOfAll = isOfAll;
    const push = () => {
      try {
        this.#push();
      } catch {
        output.destroy(); // An exception in a timer would end the process.
      }
    };
    const timer = setInterval(push, INTERVAL_MS);
    timer.unref();
    output.on("close", () => clearInterval(timer));
    push();
  }

  #push(): void {
    if (!this.#sessions.has(this.#session)) {
      this.#output.end();
      return;
    }
    const watched = this.#sessions.entries.filter(([, session]) => this.#isOfAll || session === this.#session);
    for (const [name, session] of watched) this.#journalOf(name, session).push();
    if (this.#journals.size > watched.length) this.#forgetEnded();
    if (keepsUp(this.#output)) this.#sendOverview(stateOf(this.#session));
  }

  #journalOf(name: string, session: MockSession): JournalFeed {
    const known = this.#journals.get(name) ?? new JournalFeed(this.#output, name, session);
    this.#journals.set(name, known);
    return known;
  }

  #forgetEnded(): void {
    for (const [name, journal] of this.#journals) {
      if (this.#sessions.has(journal.session)) continue;
      this.#journals.delete(name);
      journal.clear();
    }
  }

  #sendOverview({ journal, plants, faults, gates }: SessionState): void {
    const overview: Overview = {
      baseUrl: this.#session.baseUrl,
      sessions: this.#sessions.all,
      requests: journal.count,
      plants: plants.size,
      faults: faults.queued.map(describeFault),
      gates: [...gates].map(describeGate),
    };
    const text = encodeExactJson(overview);
    if (text === this.#overview) return;
    this.#overview = text;
    this.#output.write(`{"overview":${text}}\n`);
  }
}

const INTERVAL_MS = 100;
