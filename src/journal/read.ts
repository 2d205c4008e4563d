import { readSync } from "node:fs";
import { KnownPlants } from "./known-plants.ts";
import { ANY_FINGERPRINT, idsIn, isBeginning, readLine, TORN } from "./line.ts";

export const HEADER = "plant-store-journal 2";
/** A file of lines that are longer is no journal. */
const MAX_LINE_LENGTH = 1_000_000;
/** So many lines and ids are named in an error. */
const MAX_NAMED = 10;

/** What a file of a journal says. */
interface Contents {
  readonly plants: KnownPlants;
  readonly size: number;
  /** The text that is missing at its end: the rest of the header, a line break, or the mark of a torn line. */
  readonly missing: string;
}

/**
 * Reads the file of a journal.
 *
 * @param header - Its first line.
 * @throws An Error if any line is not as it was written, except the last one, which a kill or a power cut may have torn.
 */
export function readJournal(path: string, fd: number, header: string): Contents {
  const plants = new KnownPlants();
  const damaged: DamagedLine[] = [];
  let number = 0;
  let size = 0;
  let rest = "";
  for (const piece of piecesOf(fd)) {
    size += piece.length;
    const lines = (rest + piece).split("\n");
    rest = lines.pop() as string;
    if (rest.length > MAX_LINE_LENGTH) break;
    for (const line of lines) {
      number++;
      if (number === 1 && line !== header) throw wrongHeader(path, line, header);
      if (number > 1 && !readInto(plants, line) && damaged.length <= MAX_NAMED) damaged.push({ number, text: line });
    }
  }
  // A kill may have cut the header short.
  if (number === 0 && header.startsWith(rest)) return { plants, size, missing: `${header.slice(rest.length)}\n` };
  if (number === 0) throw wrongHeader(path, rest, header);
  if (!readEnd(plants, rest)) damaged.push({ number: number + 1, text: rest });
  if (damaged.length > 0) throw damageError(path, damaged);
  return { plants, size, missing: missingAfter(rest) };
}

/** The file in pieces, because a string and a buffer have limits. Every byte is one character. */
function* piecesOf(fd: number): Generator<string> {
  const buffer = Buffer.allocUnsafe(256 * 1024);
  for (let position = 0, length = 1; length > 0; position += length) {
    length = readSync(fd, buffer, 0, buffer.length, position);
    yield buffer.toString("latin1", 0, length);
  }
}

/** Reads a line. Returns whether it is as it was written, or marked as torn. */
function readInto(plants: KnownPlants, line: string): boolean {
  const entry = readLine(line);
  if (entry) plants.add(entry);
  else if (line.endsWith(TORN)) readTorn(plants, line.slice(0, -TORN.length));
  else return false;
  return true;
}

/** A kill tears a line before its plant is sent. Of any other torn line, the id may be that of a plant that was sent. */
function readTorn(plants: KnownPlants, text: string): void {
  const entry = readLine(withoutNulBytes(text));
  if (entry) plants.add(entry);
  else if (!isBeginning(text))
    for (const id of idsIn(text)) plants.add({ id, fingerprint: ANY_FINGERPRINT, sign: "?" });
}

/** Reads what follows the last line break. Returns whether it is what a kill or a power cut may leave of a line. */
function readEnd(plants: KnownPlants, rest: string): boolean {
  const text = withoutNulBytes(rest);
  if (!readLine(text) && !isBeginning(text)) return readInto(plants, rest);
  readTorn(plants, rest);
  return true;
}

function missingAfter(rest: string): string {
  if (rest === "") return "";
  return readLine(rest) || rest.endsWith(TORN) ? "\n" : `${TORN}\n`;
}

/** A power cut may leave them at the end. */
function withoutNulBytes(text: string): string {
  let length = text.length;
  while (text.charCodeAt(length - 1) === 0) length--;
  return text.slice(0, length);
}

function wrongHeader(path: string, line: string, header: string): Error {
  const url = (text: string) => text.slice(HEADER.length + 1, HEADER.length + 200);
  if (line === `${header}\r`) {
    return new Error(`${path} was saved with the line ends of Windows (CR LF): save it again with LF`);
  }
  if (line.startsWith(`${HEADER} `)) {
    return new Error(`${path} is the journal of ${url(line)}, not of ${url(header)}: use another file`);
  }
  const what = line.startsWith("plant-store-journal ")
    ? "was written by another version of plant-store-client: finish its import with that version, or use another file"
    : "is not a journal: use another file";
  return new Error(`${path} ${what}`);
}

/** A line that is not as it was written. */
interface DamagedLine {
  readonly number: number;
  readonly text: string;
}

function damageError(path: string, damaged: readonly DamagedLine[]): Error {
  const numbers = damaged.slice(0, MAX_NAMED).map(({ number }) => number);
  const ids = new Set(damaged.slice(0, MAX_NAMED).flatMap(({ text }) => idsIn(text)));
  const where = `line ${numbers.join(", ")}${damaged.length > MAX_NAMED ? " and others" : ""}`;
  const whose = ids.size > 0 ? `the plants with the ids ${[...ids].join(", ")}` : "plants whose ids cannot be read";
  return new Error(
    `${path} is damaged in ${where}, which may concern ${whose}. Do not delete it: it knows which plants exist. Look for these in the store, add "${TORN}" to the end of each such line, open the journal again, and resolve those that are unclear`,
  );
}
