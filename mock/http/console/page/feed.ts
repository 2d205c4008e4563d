import type { describeState } from "../../control/json-views.ts";
import { type Parsed, parse, RefusedCallError, type Summary, send } from "./api.ts";
import { byId, say } from "./dom.ts";

export type Overview = Parsed<ReturnType<typeof describeState>>;

/** A line of the stream. The first one has the names of all open sessions. */
export interface Line {
  /** The names of new sessions. */
  readonly opened?: readonly string[];
  readonly ended?: readonly string[];
  readonly session?: string;
  readonly isCleared?: boolean;
  readonly requests?: readonly Omit<Summary, "session">[];
  readonly overview?: Overview;
}

/** Whether the list shows the requests of all sessions. */
const isOfAll = () => byId<HTMLSelectElement>("filter-session").value === "all";

const LOST = "The mock does not respond. Trying again…";
let current: AbortController | undefined;

/**
 * Follows the events of the session that the page shows, until the next call of this function.
 *
 * @param onConnect - Called at the beginning of each stream, which begins with the current state.
 */
export async function follow(onConnect: () => void, onLine: (line: Line) => void): Promise<void> {
  current?.abort();
  const controller = new AbortController();
  current = controller;
  while (!controller.signal.aborted) {
    try {
      const response = await send("GET", isOfAll() ? "/events?requests=all" : "/events", { signal: controller.signal });
      if (byId("message").textContent === LOST) say("The mock responds again.");
      onConnect();
      await readLines(response, onLine);
    } catch (error) {
      if (controller.signal.aborted) return;
      if (error instanceof RefusedCallError && error.status === 404) {
        const sessions = byId<HTMLSelectElement>("session");
        sessions.value = "root";
        sessions.dispatchEvent(new Event("change")); // This starts another stream.
        say("The session has ended. The page shows the root session.");
        return;
      }
      if (!(error instanceof TypeError)) {
        say((error as Error).message, true);
        return;
      }
      say(LOST, true);
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

async function readLines(response: Response, onLine: (line: Line) => void): Promise<void> {
  const reader = (response.body as ReadableStream<BufferSource>).pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop() as string;
    for (const line of lines) onLine(parse(line) as Line);
  }
}
