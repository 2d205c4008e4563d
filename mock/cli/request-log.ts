import { encodeExactJson } from "../http/exact-json.ts";
import type { LoggedRequest } from "../service/mock-plant-store.ts";
import type { LogStyle } from "./settings.ts";

/** Where lines go: standard error, or a test's own. */
export interface Output {
  readonly isTTY?: boolean | undefined;
  readonly writableLength: number;
  write(text: string): unknown;
}

/** Gives the function that writes one line for each request. A token is never in it, and a query might hold one. */
export function createRequestLog(style: Exclude<LogStyle, "silent">, output: Output): (request: LoggedRequest) => void {
  const format = style === "json" ? formatJson : formatPretty;
  let dropped = 0;
  return (request) => {
    // Where nobody reads the pipe, lines are given up: the mock must not fill the memory with them.
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
    path: shorten(request.path),
    status,
    provenance,
    assumption,
    fault: fault?.type,
    id: plant?.id,
    token,
    durationMs: Math.round(durationMs * 1000) / 1000,
  });
}

function formatPretty(request: LoggedRequest): string {
  const { at, method, token, plant, status, provenance, fault, durationMs = 0 } = request;
  const words = [
    new Date(at).toISOString().slice(11, 23),
    `${status ?? "no reply"}`,
    method,
    shorten(request.path),
    plant === undefined ? undefined : `id ${plant.id}`,
    provenance,
    fault?.type,
    token,
    `${durationMs.toFixed(1)} ms`,
  ];
  return words.filter((word) => word !== undefined).join("  ");
}

/** The path without what a terminal would take for a command, and without its query. */
function shorten(path: string): string {
  const [before, query] = path.replace(/[^\x20-\x7e]/g, "?").split("?", 2) as [string, string | undefined];
  const cut = before.length > MAX_PATH ? `${before.slice(0, MAX_PATH)}…` : before;
  return query === undefined ? cut : `${cut}?…`;
}

const MAX_PATH = 200;
