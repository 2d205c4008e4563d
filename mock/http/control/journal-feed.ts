import type { Writable } from "node:stream";
import type { MockSession } from "../../service/mock-plant-store.ts";
import type { NumberedEntry } from "../../service/sessions/journal.ts";
import { stateOf } from "../../service/sessions/session.ts";
import type { SessionState } from "../../service/sessions/session-state.ts";
import { encodeExactJson } from "../exact-json.ts";
import { type RequestSummary, summarize } from "./inspection.ts";

/** One line of the stream: the changes of a session's requests since the previous line. */
interface JournalLine {
  readonly session: string;
  /** The journal was cleared: the reader must forget the requests so far. */
  readonly isCleared?: boolean;
  /** New requests, and requests that are now over. */
  readonly requests?: readonly RequestSummary[];
}

/** Streams the requests of one session. */
export class JournalFeed {
  readonly session: MockSession;
  readonly #output: Writable;
  readonly #name: string;
  #state: SessionState | undefined;
  #sent = 0;
  #open: NumberedEntry[] = [];

  constructor(output: Writable, name: string, session: MockSession) {
    this.#output = output;
    this.#name = name;
    this.session = session;
  }

  /** Sends the changes since the previous call. If the reader is slow, the rest follows in later calls. */
  push(): void {
    const state = stateOf(this.session);
    if (this.#state !== state || state.journal.count < this.#sent) {
      this.#state = state;
      this.#sent = 0;
      this.#open = [];
      this.clear();
    }
    while (keepsUp(this.#output) && this.#sendRequests(state) === PAGE);
  }

  /** Tells the reader to forget the requests of this session. */
  clear(): void {
    this.#send({ session: this.#name, isCleared: true });
  }

  /** @returns the number of new requests. */
  #sendRequests({ journal }: SessionState): number {
    const arrived = journal.page(this.#sent, PAGE);
    const ended = this.#open.filter(({ entry }) => entry.isSettled);
    if (arrived.length === 0 && ended.length === 0) return 0;
    this.#sent = arrived.at(-1)?.number ?? this.#sent;
    this.#open = [...this.#open, ...arrived].filter(({ entry }) => !entry.isSettled);
    this.#send({ session: this.#name, requests: [...ended, ...arrived].map(summarize) });
    return arrived.length;
  }

  #send(line: JournalLine): void {
    this.#output.write(`${encodeExactJson(line)}\n`);
  }
}

/** Whether the reader keeps up with the stream, so that more can be written. */
export function keepsUp(output: Writable): boolean {
  return output.writableLength < MAX_UNREAD_BYTES;
}

const PAGE = 1000;
const MAX_UNREAD_BYTES = 2 ** 20;
