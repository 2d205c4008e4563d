import { describe } from "../../../src/checks/describe.ts";
import { isRecord } from "../../../src/checks/objects.ts";
import { checkedLater } from "../../../src/checks/rules.ts";
import { checkFields, throwIfProblem } from "../check-options.ts";
import { beginning } from "../request.ts";
import { type Fault, type FaultRow, faultTable } from "./fault-table.ts";

/** The row of a valid fault. */
export function rowOf({ type }: Fault): FaultRow {
  return faultTable[type] as FaultRow;
}

/**
 * Checks and copies a fault, which may come from JavaScript or JSON.
 *
 * @throws TypeError that names the field, the rule and the fix.
 */
export function checkFault(value: Fault): Fault {
  const { fields, check } = rowOf(checkType(value));
  const given = checkFields<Fault>(value, { type: checkedLater, ...fields }, { noun: "field", within: "fault" });
  const fault: Fault = JSON.parse(JSON.stringify(given));
  throwIfProblem("fault", check?.(fault));
  return fault;
}

function checkType(value: Fault): Fault {
  const type: unknown = isRecord(value) ? value.type : undefined;
  if (typeof type === "string" && Object.hasOwn(faultTable, type)) return value;
  const types = Object.keys(faultTable).join(", ");
  throw new TypeError(`fault.type: must be one of ${types}; received ${describe(type)}`);
}

/**
 * Rejects a fault that only the in-memory mock can reproduce: an approximation would mislead the test.
 *
 * @throws TypeError that says which mock to use.
 */
export function checkReproducible(fault: Fault): void {
  if (rowOf(fault).isInMemoryOnly !== true) return;
  throw new TypeError(`fault ${fault.type}: ${IN_MEMORY_ONLY}`);
}

/** Why an adapter refuses such a fault, and the fix. */
export const IN_MEMORY_ONLY =
  "only the in-memory mock can reproduce it; use the fetch of a mock from createMockPlantStore()";

/** A fault as recorded requests and lists show it: with the beginning of each long text, and without other long values. */
export function shortenFault(fault: Fault): Fault {
  const short: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fault)) {
    if (typeof value === "string") short[name] = beginning(value, MAX_LENGTH);
    else if (JSON.stringify(value).length <= MAX_LENGTH) short[name] = value;
  }
  return short as Fault;
}

const MAX_LENGTH = 1_000;
