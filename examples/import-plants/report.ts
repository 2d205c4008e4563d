import type { AnyPlantStoreError, CreatePlantsResult, NewPlant } from "plant-store-client";
import { shorten } from "./read-lines.ts";
import type { Line } from "./read-list.ts";
import type { Rejects } from "./rejects.ts";

/** A plant with its line, which createPlants gives back with the result. */
export type ListedPlant = NewPlant & { readonly line: number; readonly text: string };

/** A line without a created plant, and the reason. */
interface Remark {
  readonly line: number;
  readonly reason: string;
}

/** The result of each line of the list. */
export class Report {
  created = 0;
  /** The rows that were read and hold a plant. */
  plants = 0;
  /** They hold no valid plant, and were not sent. */
  readonly badLines: Remark[] = [];
  /** The service refused the plant, and would refuse it again. */
  readonly refused: Remark[] = [];
  /** Certainly not created, for a reason that is not the plant. */
  readonly failed: Remark[] = [];
  /** Sent, but the result is unknown: these plants may exist. */
  readonly unknown: Remark[] = [];
  /** Columns that are not fields of a plant, and are not sent. */
  readonly unknownColumns = new Set<string>();
  /** The last line whose plant was sent. */
  lastLine = 0;
  readonly #rejects: Rejects | undefined;

  /** @param rejects - The file of the lines without a created plant; without it, `details` lists them. */
  constructor(rejects?: Rejects) {
    this.#rejects = rejects;
  }

  /** Records a line whose plant is to be sent, or that holds none. */
  addLine(line: Line): void {
    for (const column of line.unknownColumns) this.unknownColumns.add(shorten(column));
    if (!("problem" in line)) {
      this.plants++;
      return;
    }
    this.badLines.push({ line: line.number, reason: line.problem });
    this.#rejects?.add(line.number, "not-sent", line.problem, line.text);
  }

  /** Records the result of a plant. */
  addResult(result: CreatePlantsResult<ListedPlant>): void {
    const { id, name, tag = "", line, text } = result.input;
    if (result.attempts.length > 0) this.lastLine = Math.max(this.lastLine, line);
    if (result.ok) {
      this.created++;
      return;
    }
    const reason = reasonOf(result.error);
    this.#groupOf(result.error).push({ line, reason: `${reason}; plant: ${shorten(`${id},${name},${tag}`)}` });
    this.#rejects?.add(line, result.outcome, reason, text);
  }

  /** The number of plants with a result. */
  get settled(): number {
    return this.created + this.refused.length + this.failed.length + this.unknown.length;
  }

  /** Rows without a result. With a journal, their plants were created before: by an earlier run, or from a row above. */
  get skipped(): number {
    return this.plants - this.settled;
  }

  /** `212 created, 1 refused, 6 bad lines` */
  get counts(): string {
    const groups: [Remark[], string][] = [
      [this.refused, "refused"],
      [this.badLines, this.badLines.length === 1 ? "bad line" : "bad lines"],
      [this.failed, "failed"],
      [this.unknown, "unknown"],
    ];
    const texts = groups.filter(([{ length }]) => length > 0).map(([{ length }, what]) => `${length} ${what}`);
    if (this.skipped > 0) texts.push(`${this.skipped} skipped (created before)`);
    return [`${this.created} created`, ...texts].join(", ");
  }

  /** What is wrong with the list: each line without a created plant, and the reason, unless they are in a file. */
  get details(): string {
    const columns = [...this.unknownColumns].join(", ");
    const unknown = columns === "" ? "" : `\nunknown columns: ${columns}; expected id, name, tag`;
    if (this.#rejects) return unknown;
    return [
      unknown,
      section("Refused by the service:", this.refused),
      section("Bad lines, not sent:", this.badLines),
      section("Failed, and not created:", this.failed),
      section("Unknown; these plants may exist, so check before you send them again:", this.unknown),
    ].join("");
  }

  #groupOf(error: AnyPlantStoreError): Remark[] {
    if (error.outcome === "unknown") return this.unknown;
    return isRefusedPlant(error) ? this.refused : this.failed;
  }
}

/** Whether the service, or the client, refused the plant itself: it would be refused again. */
export function isRefusedPlant(error: AnyPlantStoreError): boolean {
  // The contract declares 400; the others mean the same in HTTP.
  return error.kind === "input" || (error.kind === "api" && [400, 409, 413, 415, 422].includes(error.status));
}

function reasonOf(error: AnyPlantStoreError): string {
  if (error.kind === "api") return `${error.status}, code ${error.code}: ${shorten(error.body.message)}`;
  return `${error.kind}: ${error.message}`;
}

function section(title: string, remarks: readonly Remark[]): string {
  if (remarks.length === 0) return "";
  const sorted = remarks.toSorted((one, other) => one.line - other.line);
  return `\n${title}\n${sorted.map(({ line, reason }) => `  line ${line}: ${reason}\n`).join("")}`;
}
