import type { AnyPlantStoreError, CreatePlantResult } from "plant-store-client";
import { shorten } from "./row.ts";

/** A line that did not become a plant, and why. */
export interface Remark {
  readonly line: number;
  readonly reason: string;
}

/** What is known of every line, at any moment. */
export class Account {
  readonly created: number[] = [];
  /** The list explains these: no plant can be made of them. */
  readonly badLines: Remark[] = [];
  /** Columns of the list that are not fields of a plant, and are not sent; at most 20. */
  readonly unknownColumns = new Set<string>();
  /** The list explains these, too: the service read the plant and refused it. */
  readonly refused: Remark[] = [];
  /** Surely not created, for a reason that has nothing to do with the plant. */
  readonly failed: Remark[] = [];
  /** Sent, but the result is unknown: these plants may exist. */
  readonly unknown: Remark[] = [];
  /** Sent, and not answered yet: the lines by the index of their plant. */
  readonly inFlight = new Map<number, number>();
  /** The last line that has a result. */
  lastSettled = 0;
  /** How many plants in a row met a failure that the list does not explain. */
  failuresInARow = 0;

  /** How many plants have a result. */
  get settled(): number {
    return this.created.length + this.refused.length + this.failed.length + this.unknown.length;
  }

  /** Whether nothing at all was read. */
  get isEmpty(): boolean {
    return this.settled + this.badLines.length === 0;
  }

  /** Writes down which columns a plant had that are not sent. */
  noteUnknown(columns: readonly string[]): void {
    for (const column of columns) if (this.unknownColumns.size < 20) this.unknownColumns.add(column);
  }

  /** Writes down the result of the plant with an index. */
  settle(index: number, result: CreatePlantResult): void {
    const line = this.inFlight.get(index);
    if (line === undefined) throw new RangeError(`plant ${index} is not in flight`);
    this.inFlight.delete(index);
    this.lastSettled = line;
    if (result.ok) this.created.push(line);
    else this.#groupOf(result.error).push({ line, reason: reasonOf(result.error) });
    const isExplained = result.ok || isRefusedPlant(result.error);
    this.failuresInARow = isExplained ? 0 : this.failuresInARow + 1;
  }

  #groupOf(error: AnyPlantStoreError): Remark[] {
    if (error.outcome === "unknown") return this.unknown;
    return isRefusedPlant(error) ? this.refused : this.failed;
  }
}

/** 400 is what the contract declares; the others are how HTTP says the same of a request body. */
const REFUSING_STATUSES = [400, 409, 413, 422];

function isRefusedPlant(error: AnyPlantStoreError): boolean {
  if (error.kind === "input") return true;
  return error.kind === "api" && error.outcome === "rejected" && REFUSING_STATUSES.includes(error.status);
}

function reasonOf(error: AnyPlantStoreError): string {
  if (error.kind === "api") return `${error.status}, code ${error.code}: ${shorten(error.body.message)}`;
  return `${error.kind}: ${error.message}`;
}
