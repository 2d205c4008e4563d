import type { AnyPlantStoreError, CreatePlantsResult } from "plant-store-client";
import { shorten } from "./row.ts";

/** A line without a created plant, and the reason. */
export interface Remark {
  readonly line: number;
  readonly reason: string;
}

/** The results so far, by line. */
export class Account {
  readonly created: number[] = [];
  /** Rows that the list explains: they hold no valid plant. */
  readonly badLines: Remark[] = [];
  /** Columns of the list that are not fields of a plant, and are not sent; at most 20. */
  readonly unknownColumns = new Set<string>();
  /** Rows that the list explains, too: the service refused the plant. */
  readonly refused: Remark[] = [];
  /** Certainly not created, for a reason that is not the plant. */
  readonly failed: Remark[] = [];
  /** Sent, but the result is unknown: these plants may exist. */
  readonly unknown: Remark[] = [];
  /** Sent, without a result yet: the lines by the index of their plant. */
  readonly inFlight = new Map<number, number>();
  /** The last line that has a result. */
  lastSettled = 0;
  /** The number of consecutive failures that the list does not explain. */
  failuresInARow = 0;

  /** The number of plants with a result. */
  get settled(): number {
    return this.created.length + this.refused.length + this.failed.length + this.unknown.length;
  }

  /** Whether nothing at all was read. */
  get isEmpty(): boolean {
    return this.settled + this.badLines.length === 0;
  }

  /** Records columns of a plant that are not sent. */
  noteUnknown(columns: readonly string[]): void {
    for (const column of columns) if (this.unknownColumns.size < 20) this.unknownColumns.add(column);
  }

  /** Records the result of a plant. */
  settle(result: CreatePlantsResult): void {
    const { index, input } = result;
    const line = this.inFlight.get(index);
    if (line === undefined) throw new RangeError(`plant ${index} is not in flight`);
    this.inFlight.delete(index);
    this.lastSettled = line;
    if (result.ok) this.created.push(line);
    else {
      const { id, name, tag = "" } = input;
      const group = this.#groupOf(result.error);
      // What failed for another reason than the plant is listed once, with all its lines.
      const plant = group === this.failed ? "" : `; plant: ${shorten(`${id},${name},${tag}`)}`;
      group.push({ line, reason: reasonOf(result.error) + plant });
    }
    const isExplained = result.ok || isRefusedPlant(result.error);
    this.failuresInARow = isExplained ? 0 : this.failuresInARow + 1;
  }

  #groupOf(error: AnyPlantStoreError): Remark[] {
    if (error.outcome === "unknown") return this.unknown;
    return isRefusedPlant(error) ? this.refused : this.failed;
  }
}

/** The contract declares 400; the others mean the same in HTTP. */
const REFUSING_STATUSES = [400, 409, 413, 422];

function isRefusedPlant(error: AnyPlantStoreError): boolean {
  if (error.kind === "input") return true;
  return error.kind === "api" && error.outcome === "rejected" && REFUSING_STATUSES.includes(error.status);
}

function reasonOf(error: AnyPlantStoreError): string {
  if (error.kind === "api") return `${error.status}, code ${error.code}: ${shorten(error.body.message)}`;
  return `${error.kind}: ${error.message}`;
}
