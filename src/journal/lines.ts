import { readSync } from "node:fs";
import { narrowInt64 } from "../contract/int64.ts";

export const HEADER = "plant-store-journal 2";
/** A file of lines that are longer is no journal. */
const MAX_LINE_LENGTH = 1_000_000;
/** So many lines are named in an error. */
const MAX_NAMED = 10;

/** One line of a journal. */
export interface Entry {
  readonly id: number | bigint;
  /** Of the other fields; {@link ANY_FINGERPRINT} if they are not known. */
  readonly fingerprint: number;
  /** The plant is about to be sent, it was created, or it certainly was not. */
  readonly sign: "?" | "+" | "-";
}

/** That of a plant of which a damaged line has left the id alone. */
export const ANY_FINGERPRINT = 0;

/** Marks a line that a kill has torn, before its plant was sent: it is ignored. */
const TORN = " torn";
/** Marks a line of whose plant nobody knows more than the id, if that: it is unclear. */
const DAMAGED = " damaged";

/** The id, the fingerprint, the sign, and the checksum of these. */
const LINE = /^(-?\d{1,19}) ([0-9a-f]{14}) ([?+-]) ([0-9a-f]{8})$/;
/** A part of these, and perhaps of a mark. */
const BEGINNING = /^-?\d{0,19}(?: (?:[0-9a-f]{0,14}|[0-9a-f]{14} (?:[?+-]?|[?+-] [0-9a-f]{0,7})))?(?: [a-z ]*)?$/;
/** Where an id can be at least guessed: at the beginning, and after a line that has lost its end. */
const IDS = /(?:^|[?+-] [0-9a-f]{8})(-?\d{1,19}) /g;

export function formatLine({ id, fingerprint, sign }: Entry): string {
  const text = `${id} ${formatFingerprint(fingerprint)} ${sign}`;
  return `${text} ${checksumOf(text)}\n`;
}

export function formatFingerprint(fingerprint: number): string {
  return fingerprint.toString(16).padStart(14, "0");
}

/**
 * Reads the file of a journal.
 *
 * @param header - Its first line.
 * @param add - Takes what the other lines say.
 * @returns The text that is missing at its end: the rest of the header, a line break, or the mark of a torn line.
 * @throws An Error if any line is not as it was written, except the last one, which a kill or a power cut may have torn.
 */
export function readJournal(path: string, fd: number, header: string, add: (entry: Entry) => void): string {
  const damaged: [number: number, line: string][] = [];
  let number = 0;
  const take = (line: string) => {
    number++;
    if (number === 1 && line !== header) throw wrongHeader(path, line, header);
    const entries = number === 1 ? [] : readLine(line);
    if (!entries && damaged.length <= MAX_NAMED) damaged.push([number, line]);
    for (const entry of entries ?? []) add(entry);
  };
  let rest = "";
  for (const piece of piecesOf(fd)) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() as string;
    for (const line of lines) take(line);
    if (rest.length > MAX_LINE_LENGTH) break;
  }
  // A kill may have cut the header short.
  if (number === 0 && header.startsWith(rest)) return `${header.slice(rest.length)}\n`;
  const mark = number > 0 ? markFor(rest) : "";
  if (rest !== "") take(rest + mark);
  if (damaged.length > 0) throw damageError(path, damaged);
  return rest === "" ? "" : `${mark}\n`;
}

/** The file in pieces, because a string and a buffer have limits. Every byte is one character. */
function* piecesOf(fd: number): Generator<string> {
  const buffer = Buffer.allocUnsafe(256 * 1024);
  for (let position = 0, length = 1; length > 0; position += length) {
    length = readSync(fd, buffer, 0, buffer.length, position);
    yield buffer.toString("latin1", 0, length);
  }
}

/** The mark for what follows the last line break, if a kill or a power cut may have left it: that leaves NUL bytes. */
function markFor(rest: string): string {
  if (rest.endsWith("\0")) return DAMAGED;
  return BEGINNING.test(rest) ? TORN : "";
}

function wrongHeader(path: string, line: string, header: string): Error {
  const problem =
    line === `${header}\r`
      ? "was saved with the line ends of Windows (CR LF): save it again with LF"
      : `is not a journal of this store and version: it begins with ${JSON.stringify(line.slice(0, 200))}, not with "${header}". Finish its import as it began, or use another file`;
  return new Error(`${path} ${problem}`);
}

function damageError(path: string, damaged: readonly [number: number, line: string][]): Error {
  const named = damaged.slice(0, MAX_NAMED);
  const ids = new Set(named.flatMap(([, line]) => idsIn(line)));
  const where = `line ${named.map(([number]) => number).join(", ")}${damaged.length > MAX_NAMED ? " and others" : ""}`;
  const whose = ids.size > 0 ? `the plants with the ids ${[...ids].join(", ")}` : "plants whose ids cannot be read";
  return new Error(
    `${path} is damaged in ${where}, which may concern ${whose}. Do not delete it: it knows which plants exist. Look for these in the store, add "${DAMAGED}" to the end of each such line, open the journal again, and resolve those that are unclear`,
  );
}

/** What a line says; undefined if it is neither as it was written nor marked. */
function readLine(line: string): readonly Entry[] | undefined {
  const [, digits = "", fingerprint = "", sign, checksum] = LINE.exec(line) ?? [];
  if (checksum !== undefined && checksum === checksumOf(line.slice(0, -9))) {
    const id = narrowInt64(BigInt(digits));
    return [{ id, fingerprint: Number.parseInt(fingerprint, 16), sign: sign as Entry["sign"] }];
  }
  if (line.endsWith(DAMAGED)) return idsIn(line).map((id) => ({ id, fingerprint: ANY_FINGERPRINT, sign: "?" }));
  return line.endsWith(TORN) ? [] : undefined;
}

/** The ids that can be read from a damaged line; they may be wrong, too. */
function idsIn(line: string): (number | bigint)[] {
  return [...line.matchAll(IDS)].map(([, digits = ""]) => narrowInt64(BigInt(digits)));
}

/** A hash (FNV-1a), which every change of a single character changes. */
function checksumOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
