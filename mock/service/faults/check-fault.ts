import { describe } from "../../../src/checks/describe.ts";
import { checkedLater } from "../../../src/checks/rules.ts";
import { isRecord } from "../../../src/checks/schema.ts";
import { type AdapterName, adapterNames } from "../adapter-names.ts";
import { checkFields, throwIfProblem } from "../check-options.ts";
import { definitionOf, type Fault, faultDefinitions } from "./fault.ts";
import type { FaultShape } from "./fault-definition.ts";

/**
 * Checks and copies a fault, which may come from JavaScript or JSON.
 *
 * @throws TypeError that names the field, the rule and the fix.
 */
export function checkFault(value: Fault): Fault {
  const { type, fields, check } = definitionOf(checkType(value));
  const rules = Object.fromEntries(Object.entries(fields).map(([name, { rule }]) => [name, rule]));
  const given = checkFields<FaultShape>(value, { type: checkedLater, ...rules }, { noun: "field", within: "fault" });
  const fault: FaultShape = { ...JSON.parse(JSON.stringify(given)), type };
  throwIfProblem("fault", check?.(fault));
  return fault as Fault;
}

function checkType(value: Fault): Fault {
  const type: unknown = isRecord(value) ? value.type : undefined;
  if (typeof type === "string" && Object.hasOwn(faultDefinitions, type)) return value;
  const types = Object.keys(faultDefinitions).join(", ");
  throw new TypeError(`fault.type: must be one of ${types}; received ${describe(type)}`);
}

/**
 * Rejects a fault that an adapter in use cannot reproduce exactly: an approximation would mislead the test.
 *
 * @throws TypeError that names the adapter which can reproduce it.
 */
export function checkAdapters(fault: Fault, adapters: Iterable<AdapterName>): void {
  const { cannot } = definitionOf(fault);
  for (const adapter of adapters) {
    if (!cannot.includes(adapter)) continue;
    throw new TypeError(
      `fault ${fault.type}: ${adapterNames[adapter]} is in use and cannot reproduce it; ` +
        `create another mock and use ${adapterNames.memory}`,
    );
  }
}
