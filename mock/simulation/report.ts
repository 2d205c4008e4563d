import type { Fault } from "../service/faults/fault-table.ts";
import type { RecordedRequest } from "../service/mock-plant-store.ts";
import type { PlannedFault } from "./fault-plan.ts";

/** The line of a test that injects a fault. */
export function codeOf({ id, fault }: PlannedFault): string {
  const digits = Number.isSafeInteger(Number(id)) ? id : `${id}n`;
  return `  store.inject(faults.${fault.type}(${argumentsOf(fault)}), { when: { id: ${digits} } });`;
}

/** Every fault that has fields is created by its fields in their order, or by one object of them. */
function argumentsOf({ type, ...fields }: Fault): string {
  return type === "reply"
    ? JSON.stringify(fields)
    : Object.values(fields)
        .map((value) => JSON.stringify(value))
        .join(", ");
}

/** One request in a line: `00:00:00.041  POST  /plants  id 3  200  lostResponse`. */
export function describeRequest({ at, method, path, plant, status, fault }: RecordedRequest): string {
  const date = new Date(at).toISOString().slice(11, 23);
  const about = plant ? `id ${plant.id}` : "no plant";
  return ["", date, method, path, about, status ?? "no response", fault?.type ?? ""].join("  ").trimEnd();
}
