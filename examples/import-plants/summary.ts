import type { Account, Remark } from "./account.ts";

/** `312 created, 1 refused, 6 bad lines` */
export function countsOf(account: Account): string {
  const counts = [
    `${account.created.length} created`,
    count(account.refused, "refused"),
    count(account.badRows, `bad ${account.unit}${account.badRows.length === 1 ? "" : "s"}`),
    count(account.failed, "failed"),
    count(account.unknown, "unknown"),
  ];
  return counts.filter((text) => text !== "").join(", ");
}

/** The lines of the summary: the counts, then each row of the list without a created plant, and the reason. */
export function summarize(account: Account, durationMs: number): string[] {
  const { unit } = account;
  return [
    `${countsOf(account)} in ${(durationMs / 1000).toFixed(2)} s`,
    ...(account.unknownColumns.size === 0
      ? []
      : ["", `unknown columns: ${[...account.unknownColumns].join(", ")}; expected id, name, tag`]),
    ...section(unit, "Refused by the service:", account.refused),
    ...section(unit, `Bad ${unit}s, not sent:`, account.badRows),
    ...section(unit, "Failed, and not created:", account.failed),
    ...section(unit, "Unknown; these plants may exist, so check before you send them again:", account.unknown),
  ];
}

/** What was tried of a list that was not read to its end. */
export function summarizeSent(account: Account): string[] {
  const { unit } = account;
  const others = [account.refused, account.failed, account.unknown].flat().map(({ row }) => row);
  const inFlight = [...account.inFlight.values()];
  const sent = [...account.created, ...others, ...inFlight];
  if (sent.length === 0) return ["", "Nothing was sent."];
  const end = sent.reduce((last, row) => Math.max(last, row));
  return [
    "",
    `Tried: ${inRanges(unit, sent)}. Of these created: ${inRanges(unit, account.created)}.`,
    ...(inFlight.length > 0 ? [`In flight, and may be created: ${inRanges(unit, inFlight)}.`] : []),
    `Nothing after ${unit} ${end} was sent.`,
  ];
}

function count(remarks: Remark[], what: string): string {
  return remarks.length === 0 ? "" : `${remarks.length} ${what}`;
}

function section(unit: Account["unit"], title: string, remarks: Remark[]): string[] {
  if (remarks.length === 0) return [];
  const byReason = new Map<string, number[]>();
  for (const { row, reason } of remarks.toSorted((one, other) => one.row - other.row)) {
    const rows = byReason.get(reason);
    if (rows) rows.push(row);
    else byReason.set(reason, [row]);
  }
  return ["", title, ...[...byReason].map(([reason, rows]) => `  ${inRanges(unit, rows)}: ${reason}`)];
}

/** `lines 2-4, 7` */
function inRanges(unit: Account["unit"], rows: number[]): string {
  const ranges: { first: number; last: number }[] = [];
  for (const row of rows.toSorted((one, other) => one - other)) {
    const range = ranges.at(-1);
    if (range?.last === row - 1) range.last = row;
    else ranges.push({ first: row, last: row });
  }
  if (ranges.length === 0) return "none";
  const texts = ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`));
  return `${unit}${rows.length === 1 ? "" : "s"} ${texts.join(", ")}`;
}
