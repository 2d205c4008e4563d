import type { Account, Remark } from "./account.ts";

/** `312 created, 1 refused, 6 bad lines` */
export function countsOf(account: Account): string {
  const counts = [
    `${account.created.length} created`,
    count(account.refused, "refused"),
    count(account.badLines, account.badLines.length === 1 ? "bad line" : "bad lines"),
    count(account.failed, "failed"),
    count(account.unknown, "unknown"),
  ];
  return counts.filter((text) => text !== "").join(", ");
}

/** The lines of the summary: the counts, then each line of the list without a created plant, and the reason. */
export function summarize(account: Account, durationMs: number): string[] {
  return [
    `${countsOf(account)} in ${(durationMs / 1000).toFixed(2)} s`,
    ...(account.unknownColumns.size === 0
      ? []
      : ["", `unknown columns: ${[...account.unknownColumns].join(", ")}; expected id, name, tag`]),
    ...section("Refused by the service:", account.refused),
    ...section("Bad lines, not sent:", account.badLines),
    ...section("Failed, and not created:", account.failed),
    ...section("Unknown; these plants may exist, so check before you send them again:", account.unknown),
  ];
}

/** What was tried of a list that was not read to its end. */
export function summarizeSent(account: Account): string[] {
  const others = [account.refused, account.failed, account.unknown].flat().map(({ line }) => line);
  const inFlight = [...account.inFlight.values()];
  const sent = [...account.created, ...others, ...inFlight];
  if (sent.length === 0) return ["", "Nothing was sent."];
  const end = sent.reduce((last, line) => Math.max(last, line));
  return [
    "",
    `Tried: ${inRanges(sent)}. Of these created: ${inRanges(account.created)}.`,
    ...(inFlight.length > 0 ? [`In flight, and may be created: ${inRanges(inFlight)}.`] : []),
    `Nothing after line ${end} was sent.`,
  ];
}

function count(remarks: Remark[], what: string): string {
  return remarks.length === 0 ? "" : `${remarks.length} ${what}`;
}

function section(title: string, remarks: Remark[]): string[] {
  if (remarks.length === 0) return [];
  const byReason = new Map<string, number[]>();
  for (const { line, reason } of remarks.toSorted((one, other) => one.line - other.line)) {
    const lines = byReason.get(reason);
    if (lines) lines.push(line);
    else byReason.set(reason, [line]);
  }
  return ["", title, ...[...byReason].map(([reason, lines]) => `  ${inRanges(lines)}: ${reason}`)];
}

/** `lines 2-4, 7` */
function inRanges(lines: number[]): string {
  const ranges: { first: number; last: number }[] = [];
  for (const line of lines.toSorted((one, other) => one - other)) {
    const range = ranges.at(-1);
    if (range?.last === line - 1) range.last = line;
    else ranges.push({ first: line, last: line });
  }
  if (ranges.length === 0) return "none";
  const texts = ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`));
  return `${lines.length === 1 ? "line" : "lines"} ${texts.join(", ")}`;
}
