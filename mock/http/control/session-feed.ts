import type { Writable } from "node:stream";
import type { MockSession } from "../../service/mock-plant-store.ts";
import { registeredOf } from "../../service/sessions/session.ts";
import type { RegisteredSession, SessionRegistry } from "../../service/sessions/session-registry.ts";
import { encodeExactJson } from "../exact-json.ts";
import { JournalFeed, keepsUp, sendLine } from "./journal-feed.ts";
import { describeState } from "./json-views.ts";

/**
 * Streams the changes of a session as lines of JSON, optionally with the requests of all other sessions. It polls ten
 * times a second and compares a few counters, so that watching does not slow the service down.
 */
export class SessionFeed {
  readonly #output: Writable;
  readonly #session: MockSession;
  readonly #registry: SessionRegistry;
  readonly #isOfAll: boolean;
  /** The sessions that the reader knows. */
  readonly #journals = new Map<RegisteredSession, JournalFeed>();
  #changes = 0;
  #overview: string | undefined;

  constructor(output: Writable, session: MockSession, isOfAll: boolean) {
    this.#output = output;
    this.#session = session;
    this.#registry = registeredOf(session).registry;
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
    if (this.#output.writableEnded || !keepsUp(this.#output)) return;
    const own = registeredOf(this.#session);
    if (own.isClosed) {
      this.#output.end();
      return;
    }
    this.#sendSessions();
    for (const [session, journal] of this.#journals) if (this.#isOfAll || session === own) journal.push();
    this.#sendOverview(own);
  }

  /** Sends the names of the sessions that were opened or have ended since the previous call. */
  #sendSessions(): void {
    if (this.#registry.changes === this.#changes) return;
    this.#changes = this.#registry.changes;
    const ended = [...this.#journals.keys()].filter(({ isClosed }) => isClosed);
    const opened = [...this.#registry].filter((session) => !this.#journals.has(session));
    for (const session of ended) this.#journals.delete(session);
    for (const session of opened) this.#journals.set(session, new JournalFeed(this.#output, session));
    sendLine(this.#output, { opened: opened.map(({ name }) => name), ended: ended.map(({ name }) => name) });
  }

  #sendOverview({ state }: RegisteredSession): void {
    const overview = encodeExactJson(describeState(state, this.#session.baseUrl));
    if (overview === this.#overview) return;
    this.#overview = overview;
    this.#output.write(`{"overview":${overview}}\n`);
  }
}

const INTERVAL_MS = 100;
