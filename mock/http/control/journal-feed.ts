import type { Writable } from "node:stream";
import type { Journal } from "../../service/sessions/journal.ts";
import type { JournalEntry } from "../../service/sessions/journal-entry.ts";
import type { RegisteredSession } from "../../service/sessions/session-registry.ts";
import { encodeExactJson } from "../exact-json.ts";
import { summarize } from "./json-views.ts";

/** Streams the requests of one session. */
export class JournalFeed {
  readonly #output: Writable;
  readonly #session: RegisteredSession;
  #journal: Journal | undefined;
  #clears = 0;
  #sent = 0;
  /** The requests that were sent before they were over. */
  #open: JournalEntry[] = [];

  constructor(output: Writable, session: RegisteredSession) {
    this.#output = output;
    this.#session = session;
  }

  /** Sends the changes since the previous call. If the reader is slow, the rest follows in later calls. */
  push(): void {
    const { journal } = this.#session.state;
    if (journal !== this.#journal || journal.clears !== this.#clears) {
      if (this.#journal) this.#send({ isCleared: true });
      this.#journal = journal;
      this.#clears = journal.clears;
      this.#sent = 0;
      this.#open = [];
    }
    while (keepsUp(this.#output) && this.#sendRequests(journal) === PAGE_SIZE);
  }

  /** @returns The number of new requests. */
  #sendRequests(journal: Journal): number {
    if (journal.count === this.#sent && !this.#open.some(({ isSettled }) => isSettled)) return 0;
    const arrived = journal.page(this.#sent, PAGE_SIZE);
    this.#send({ requests: [...this.#open.filter(({ isSettled }) => isSettled), ...arrived].map(summarize) });
    this.#sent = arrived.at(-1)?.number ?? journal.count;
    this.#open = [...this.#open, ...arrived].filter(({ isSettled }) => !isSettled);
    return arrived.length;
  }

  #send(change: object): void {
    sendLine(this.#output, { session: this.#session.name, ...change });
  }
}

export function sendLine(output: Writable, line: object): void {
  output.write(`${encodeExactJson(line)}\n`);
}

/** Whether the reader keeps up with the stream, so that more can be written. */
export function keepsUp(output: Writable): boolean {
  return output.writableLength < MAX_UNREAD_BYTES;
}

const PAGE_SIZE = 1000;
const MAX_UNREAD_BYTES = 2 ** 20;
