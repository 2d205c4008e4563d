import { encodeExactJson } from "../http/exact-json.ts";
import type { Fault } from "../service/faults/fault.ts";
import type { Delivered } from "../service/faults/fault-definition.ts";
import type { JournalEntry } from "../service/sessions/journal-entry.ts";
import type { LogStyle } from "./settings.ts";

/** What the log shows of a request. */
export type LoggedRequest = Pick<JournalEntry, "at" | "method" | "path" | "delivers"> &
  Partial<Pick<JournalEntry, Optional>>;
type Optional = "token" | "plant" | "fault" | "status" | "provenance" | "assumption" | "reason" | "durationMs";

/** Standard output or standard error, or a test's substitute. */
export interface Output {
  readonly isTTY?: boolean | undefined;
  readonly writableLength: number;
  write(text: string, done?: (error?: Error | null) => void): unknown;
}

/**
 * Creates the function that writes one line per request. Tokens are replaced by labels; queries are omitted, because they
 * may contain tokens.
 *
 * @param isColorful - Whether to color the lines, if the output is a terminal.
 */
export function createRequestLog(
  style: Exclude<LogStyle, "silent">,
  output: Output,
  isColorful: boolean,
): (request: LoggedRequest) => void {
  const format = style === "json" ? formatJson : formatPretty(output.isTTY === true && isColorful);
  let dropped = 0;
  return (request) => {
    // If nothing reads the pipe, lines are dropped, to bound the memory.
    if (output.writableLength > MAX_UNREAD_BYTES) dropped++;
    else {
      const note = dropped === 0 ? "" : formatDropped(style, dropped);
      dropped = 0;
      output.write(`${note}${format(request)}\n`);
    }
  };
}

const MAX_UNREAD_BYTES = 2 ** 20;

function formatDropped(style: LogStyle, dropped: number): string {
  return style === "json" ? `${JSON.stringify({ droppedLines: dropped })}\n` : `(${dropped} lines dropped)\n`;
}

function formatJson(request: LoggedRequest): string {
  const { at, method, token, plant, status, provenance, assumption, fault, durationMs = 0 } = request;
  return encodeExactJson({
    at: new Date(at).toISOString(),
    method,
    path: withoutQuery(request.path),
    status,
    provenance,
    assumption,
    reason: reasonIn(request),
    fault: fault?.type,
    id: plant?.id,
    token,
    durationMs: Math.round(durationMs * 1000) / 1000,
  });
}

/** Columns: time, status, method, path, duration, token label, remark. */
function formatPretty(hasColors: boolean): (request: LoggedRequest) => string {
  const paint = (color: string, text: string) => (hasColors ? `\u001b[${color}m${text}\u001b[0m` : text);
  return (request) => {
    const { at, method, status, token = "", durationMs = 0 } = request;
    const isDelivered = status !== undefined && request.delivers !== "end";
    const words = [
      paint(FAINT, new Date(at).toISOString().slice(11, 23)),
      paint(colorOf(request), isDelivered ? `${status}` : " - "),
      method.padEnd(4),
      withoutQuery(request.path).padEnd(PATH_WIDTH),
      paint(FAINT, `${durationMs.toFixed(1)} ms`.padStart(9)),
      paint(FAINT, token.padEnd(TOKEN_WIDTH)),
      remarkOn(request),
    ];
    return words.join("  ").trimEnd();
  };
}

const PATH_WIDTH = 16;
const TOKEN_WIDTH = 14;
const FAINT = "2";

function colorOf(request: LoggedRequest): string {
  const { status } = request;
  if (status === undefined || status >= 500 || request.delivers === "end") return "31";
  return status < 300 ? "32" : "33";
}

/** The id of the plant, the reason of a rejection, or the effect of a fault. */
function remarkOn(request: LoggedRequest): string {
  const { plant, status, fault, delivers } = request;
  const about = plant === undefined ? "" : `id ${plant.id}`;
  if (fault !== undefined) return [named(fault), SENT[delivers], about].filter(Boolean).join(", ");
  if (status === undefined) return "the client disconnected; no response was sent";
  return reasonIn(request) ?? about;
}

/** A fault with its fields, such as the status and the headers of a response. */
function named(fault: Fault): string {
  const { type, ...fields } = fault;
  const texts = Object.entries(fields).map(([name, value]) => {
    return `${name}: ${typeof value === "string" ? value : encodeExactJson(value)}`;
  });
  return printable(`fault ${type}${texts.length === 0 ? "" : ` (${texts.join(", ")})`}`);
}

/** How much of the response was sent, unless all of it. */
const SENT: Readonly<Record<Delivered, string>> = {
  response: "",
  half: "half of the response was sent",
  end: "no response was sent",
  nothing: "no response was sent",
};

/** The reason of a rejection. It may quote the path, whose query is omitted here too; `$&` in it is just text. */
function reasonIn({ reason, path }: LoggedRequest): string | undefined {
  return reason === undefined ? undefined : printable(reason.replaceAll(path, () => withoutQuery(path)));
}

/** A text of limited length, without terminal control characters. */
function printable(text: string): string {
  const safe = text.replace(/[^\x20-\x7e…]/g, "?");
  return safe.length > MAX_PATH ? `${safe.slice(0, MAX_PATH)}…` : safe;
}

/** A path without its query, and without terminal control characters. */
function withoutQuery(path: string): string {
  const [before, query] = path.replace(/[^\x20-\x7e]/g, "?").split("?", 2) as [string, string | undefined];
  return query === undefined ? printable(before) : `${printable(before)}?…`;
}

const MAX_PATH = 200;
