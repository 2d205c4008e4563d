import type { AnyPlantStoreError, CreatePlantsResult } from "plant-store-client";
import type { PlantList } from "./read-list.ts";
import { shorten } from "./row.ts";

/** A row without a created plant, and the reason. */
export interface Remark {
  readonly row: number;
  readonly reason: string;
}

/** The results so far, by the number of the row. */
export class Account {
  /** What a row is, for messages. */
  readonly unit: PlantList["unit"];
  readonly created: number[] = [];
  /** Rows that the list explains: they hold no valid plant. */
  readonly badRows: Remark[] = [];
  /** Columns of the list that are not fields of a plant, and are not sent; at most 20. */
  readonly unknownColumns = new Set<string>();
  /** Rows that the list explains, too: the service refused the plant. */
  readonly refused: Remark[] = [];
  /** Certainly not created, for a reason that is not the plant. */
  readonly failed: Remark[] = [];
  /** Sent, but the result is unknown: these plants may exist. */
  readonly unknown: Remark[] = [];
  /** Sent, without a result yet: the rows by the index of their plant. */
  readonly inFlight = new Map<number, number>();
  /** The last row that has a result. */
  lastSettled = 0;
  /** The number of consecutive failures that the list does not explain. */
  failuresInARow = 0;

  constructor(unit: PlantList["unit"]) {
    this.unit = unit;
  }

  /** The number of plants with a result. */
  get settled(): number {
    return this.created.length + this.refused.length + this.failed.length + this.unknown.length;
  }

  /** Whether nothing at all was read. */
  get isEmpty(): boolean {
    return this.settled + this.badRows.length === 0;
  }

  /** Records columns of a plant that are not sent. */
  noteUnknown(columns: readonly string[]): void {
    for (const column of columns) if (this.unknownColumns.size < 20) this.unknownColumns.add(column);
  }

  /** Records the result of a plant. */
  settle(result: CreatePlantsResult): void {
    const { index, input } = result;
    const row = this.inFlight.get(index);
    if (row === undefined) throw new RangeError(`plant ${index} is not in flight`);
    this.inFlight.delete(index);
    this.lastSettled = row;
    if (result.ok) this.created.push(row);
    else {
      const { id, name, tag = "" } = input;
      const group = this.#groupOf(result.error);
      // What failed for another reason than the plant is listed once, with all its rows.
      const plant = group === this.failed ? "" : `; plant: ${shorten(`${id},${name},${tag}`)}`;
      group.push({ row, reason: reasonOf(result.error) + plant });
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

/** Whether the service, or the client, refused the plant itself: it would be refused again. */
export function isRefusedPlant(error: AnyPlantStoreError): boolean {
  if (error.kind === "input") return true;
  return error.kind === "api" && error.outcome === "rejected" && REFUSING_STATUSES.includes(error.status);
}

function reasonOf(error: AnyPlantStoreError): string {
  if (error.kind === "api") return `${error.status}, code ${error.code}: ${shorten(error.body.message)}`;
  return `${error.kind}: ${error.message}`;
}
