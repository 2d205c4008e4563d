import type { Writable } from "node:stream";
import type { MockSession } from "../../service/mock-plant-store.ts";
import type { NumberedEntry } from "../../service/sessions/journal.ts";
import { stateOf } from "../../service/sessions/session.ts";
import type { SessionState } from "../../service/sessions/session-state.ts";
import { encodeExactJson } from "../exact-json.ts";
import {
  describeFault,
  describeGate,
  type FaultInfo,
  type GateInfo,
  type RequestSummary,
  summarize,
} from "./inspection.ts";
import type { OpenSessions, SessionInfo } from "./open-sessions.ts";

/** One line of the stream: the changes since the previous line. */
export interface FeedLine {
  /** The journal was cleared: forget the requests so far. */
  readonly isCleared?: boolean;
  /** New requests, and requests that are now over. */
  readonly requests?: readonly RequestSummary[];
  readonly overview?: Overview;
}

interface Overview {
  readonly baseUrl: string;
  readonly sessions: readonly SessionInfo[];
  readonly requests: number;
  readonly plants: number;
  readonly faults: readonly FaultInfo[];
  readonly gates: readonly GateInfo[];
}

/**
 * Streams the changes of a session, one line of JSON each. It compares a few counters ten times a second, so that
 * watching does not slow the service down.
 */
export class SessionFeed {
  readonly #output: Writable;
  readonly #session: MockSession;
  readonly #sessions: OpenSessions;
  #state: SessionState | undefined;
  #sent = 0;
  #open: NumberedEntry[] = [];
  #overview = "";

  constructor(output: Writable, session: MockSession, sessions: OpenSessions) {
    this.#output = output;
    this.#session = session;
    this.#sessions = sessions;
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
    const state = stateOf(this.#session);
    if (this.#state !== state || state.journal.count < this.#sent) this.#begin(state);
    // A slow reader gets the rest later.
    while (this.#isRead && this.#sendRequests(state) === PAGE);
    if (this.#isRead) this.#sendOverview(state);
  }

  get #isRead(): boolean {
    return this.#output.writableLength < MAX_UNREAD_BYTES;
  }

  #begin(state: SessionState): void {
    this.#state = state;
    this.#sent = 0;
    this.#open = [];
    this.#send({ isCleared: true });
  }

  /** @returns the number of new requests. */
  #sendRequests({ journal }: SessionState): number {
    const arrived = journal.page(this.#sent, PAGE);
    const ended = this.#open.filter(({ entry }) => entry.isSettled);
    if (arrived.length === 0 && ended.length === 0) return 0;
    this.#sent = arrived.at(-1)?.number ?? this.#sent;
    this.#open = [...this.#open, ...arrived].filter(({ entry }) => !entry.isSettled);
    this.#send({ requests: [...ended, ...arrived].map(summarize) });
    return arrived.length;
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

  #send(line: FeedLine): void {
    this.#output.write(`${encodeExactJson(line)}\n`);
  }
}

const INTERVAL_MS = 100;
const PAGE = 1000;
const MAX_UNREAD_BYTES = 2 ** 20;
