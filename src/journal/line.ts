import { isInt64, narrowInt64 } from "../contract/int64.ts";

/** What a line says of a plant: it is about to be sent, it was created, or it certainly was not. */
export type Sign = "?" | "+" | "-";

/** One line of a journal. */
export interface Entry {
  readonly id: number | bigint;
  /** Of the other fields; {@link ANY_FINGERPRINT} if they are not known. */
  readonly fingerprint: number;
  readonly sign: Sign;
}

/** That of a plant of which a damaged line has left the id alone. */
export const ANY_FINGERPRINT = 0;

/** The end of a line that is ignored. */
export const TORN = " torn";

/** The id, the fingerprint, the sign, and the checksum of these. */
const LINE = /^(-?\d{1,19}) ([0-9a-f]{14}) ([?+-]) ([0-9a-f]{8})$/;
/** A part of these, and perhaps of marks of a torn line. */
const BEGINNING =
  /^(?:-?\d{0,19}|-?\d{1,19} [0-9a-f]{0,14}|-?\d{1,19} [0-9a-f]{14} [?+-]?|-?\d{1,19} [0-9a-f]{14} [?+-] [0-9a-f]{0,7})[ torn]*$/;
/** Where an id can be at least guessed: at the beginning, and after a line that has lost its end. */
const IDS = /(?:^|[?+-] [0-9a-f]{8})(-?\d{1,19}) /g;

export function formatLine({ id, fingerprint, sign }: Entry): string {
  const text = `${id} ${formatFingerprint(fingerprint)} ${sign}`;
  return `${text} ${checksumOf(text)}\n`;
}

export function formatFingerprint(fingerprint: number): string {
  return fingerprint.toString(16).padStart(14, "0");
}

/** What a line says; undefined if it is not exactly as it was written. */
export function readLine(text: string): Entry | undefined {
  const [, digits = "", fingerprint = "", sign, checksum] = LINE.exec(text) ?? [];
  if (checksum === undefined || checksum !== checksumOf(text.slice(0, -9))) return undefined;
  return { id: narrowInt64(BigInt(digits)), fingerprint: Number.parseInt(fingerprint, 16), sign: sign as Sign };
}

/** Whether a text may be what a kill has left of a line. */
export function isBeginning(text: string): boolean {
  return BEGINNING.test(text);
}

/** The ids that can be read from a damaged line; they may be wrong, too. */
export function idsIn(text: string): (number | bigint)[] {
  const ids = [...text.matchAll(IDS)].map(([, digits = ""]) => BigInt(digits));
  return ids.filter(isInt64).map(narrowInt64);
}

/** A hash (FNV-1a), which every change of a single character changes. */
function checksumOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
