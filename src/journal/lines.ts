import { readSync } from "node:fs";
import { narrowInt64 } from "../contract/int64.ts";

export const HEADER = "plant-store-journal 2";
/** A file of lines that are longer is no journal. */
const MAX_LINE_LENGTH = 1_000_000;

/** One line of a journal. */
export interface Entry {
  readonly id: number | bigint;
  /** Of the other fields. */
  readonly fingerprint: number;
  /** The plant is about to be sent, it was created, or it certainly was not. */
  readonly sign: "?" | "+" | "-";
}

/** Marks a line without its end, which a kill or a power cut has torn before its plant was sent: it is ignored. */
const TORN = " torn";

/** The id, the fingerprint, the sign, and the checksum of these. */
const LINE = /^(-?\d{1,19}) ([0-9a-f]{14}) ([?+-]) ([0-9a-f]{8})$/;

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
  let number = 0;
  const take = (line: string) => {
    number++;
    if (number === 1) checkHeader(path, line, header);
    else if (!line.endsWith(TORN)) add(readLine(line) ?? throwDamage(path, number));
  };
  let rest = "";
  for (const piece of piecesOf(fd)) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() as string;
    for (const line of lines) take(line);
    if (rest.length > MAX_LINE_LENGTH) take(rest);
  }
  // A kill may have cut the header short.
  if (number === 0 && header.startsWith(rest)) return `${header.slice(rest.length)}\n`;
  if (rest === "") return "";
  const mark = number > 0 && !readLine(rest) ? TORN : "";
  take(rest + mark);
  return `${mark}\n`;
}

/** The file in pieces, because a string and a buffer have limits. Every byte is one character. */
function* piecesOf(fd: number): Generator<string> {
  const buffer = Buffer.allocUnsafe(256 * 1024);
  for (let position = 0, length = 1; length > 0; position += length) {
    length = readSync(fd, buffer, 0, buffer.length, position);
    yield buffer.toString("latin1", 0, length);
  }
}

function checkHeader(path: string, line: string, header: string): void {
  if (line === header) return;
  const begin = JSON.stringify(line.slice(0, 200));
  throw new Error(
    `${path} is not a journal of this store and version: it begins with ${begin}, not with "${header}". Finish its import as it began, or use another file`,
  );
}

function throwDamage(path: string, number: number): never {
  throw new Error(
    `${path} is damaged in line ${number}, so nobody knows which plants were sent. Look them up in the store, and import those that are missing with a new journal`,
  );
}

/** What a line says; undefined if it is not as it was written. */
function readLine(line: string): Entry | undefined {
  const [, digits = "", fingerprint = "", sign, checksum] = LINE.exec(line) ?? [];
  if (checksum === undefined || checksum !== checksumOf(line.slice(0, -9))) return undefined;
  const id = narrowInt64(BigInt(digits));
  return { id, fingerprint: Number.parseInt(fingerprint, 16), sign: sign as Entry["sign"] };
}

/** A hash (FNV-1a), which every change of a single character changes. */
function checksumOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
