import { encodeExactJson } from "../http/exact-json.ts";
import { visibleLine } from "../http/visible-text.ts";
import { rowOf } from "../service/faults/check-fault.ts";
import { beginning } from "../service/request.ts";
import type { ObservedRequest } from "../service/service.ts";
import type { LogStyle } from "./settings.ts";

/** Standard output or standard error, or a test's substitute. */
export interface Output {
  readonly isTTY?: boolean | undefined;
  readonly writableLength: number;
  write(text: string, done?: (error?: Error | null) => void): unknown;
}

/**
 * Creates the function that writes one line per request. Tokens are replaced by labels; queries are omitted, because they
 * may contain tokens.
 */
export function createRequestLog(
  style: Exclude<LogStyle, "silent">,
  output: Output,
): (request: ObservedRequest) => void {
  const format = style === "json" ? formatJson : formatPretty;
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

function formatJson(request: ObservedRequest): string {
  const { at, method, token, plant, status, provenance, assumption, fault, durationMs = 0 } = request;
  const line = encodeExactJson({
    at: new Date(at).toISOString(),
    method,
    path: pathOf(request),
    status,
    provenance,
    assumption,
    reason: reasonIn(request),
    fault: fault?.type,
    id: plant?.id,
    token,
    durationMs,
  });
  return visibleLine(line);
}

/** Columns: time, status, method, path, duration, token label, remark. */
function formatPretty(request: ObservedRequest): string {
  const { at, method = "-", status, token = "", durationMs = 0 } = request;
  const isDelivered = status !== undefined && request.loses !== "all";
  const words = [
    localTime(at),
    isDelivered ? `${status}` : " - ",
    method.padEnd(4),
    visibleLine(pathOf(request) ?? "-").padEnd(PATH_WIDTH),
    `${durationMs.toFixed(1)} ms`.padStart(9),
    token.padEnd(TOKEN_WIDTH),
    visibleLine(remarkOn(request)),
  ];
  return words.join("  ").trimEnd();
}

const PATH_WIDTH = 16;
const TOKEN_WIDTH = 11;

/** The id of the plant, the reason of a rejection, or the fault. */
function remarkOn(request: ObservedRequest): string {
  const { plant, status, fault } = request;
  const about = plant === undefined ? "" : `id ${plant.id}`;
  if (fault !== undefined) return [`fault ${fault.type} (${rowOf(fault).title})`, about].filter(Boolean).join(", ");
  const isUnanswered = status === undefined && request.reason === undefined;
  return isUnanswered ? "the client disconnected; no response was sent" : (reasonIn(request) ?? about);
}

/** The reason of a rejection. It may quote the path, whose query is omitted here too; `$&` in it is just text. */
function reasonIn({ reason, path }: ObservedRequest): string | undefined {
  if (reason === undefined) return undefined;
  return shorten(path === undefined ? reason : reason.replaceAll(path, () => withoutQuery(path)));
}

function pathOf({ path }: ObservedRequest): string | undefined {
  return path === undefined ? undefined : withoutQuery(path);
}

function withoutQuery(path: string): string {
  const [before, query] = path.split("?", 2) as [string, string | undefined];
  return query === undefined ? shorten(before) : `${shorten(before)}?…`;
}

function shorten(text: string): string {
  return text.length > MAX_LENGTH ? `${beginning(text, MAX_LENGTH)}…` : text;
}

const MAX_LENGTH = 200;

/** The time of day on this machine, with its offset from UTC. */
function localTime(at: number): string {
  const offset = -new Date(at).getTimezoneOffset();
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
  const [hh, mm] = [hours, minutes].map((number) => `${number}`.padStart(2, "0"));
  return `${new Date(at + offset * 60_000).toISOString().slice(11, 23)}${offset < 0 ? "-" : "+"}${hh}:${mm}`;
}
