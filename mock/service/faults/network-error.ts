import { type BareFault, type FaultDefinition, failed } from "./fault-definition.ts";

export const networkError = {
  type: "networkError",
  description: "connection reset, nothing stored",
  create: () => ({ type: "networkError" }),
  fields: {},
  delivers: "end",
  cannot: [],
  apply: (_fault, context) => failed("networkError", context),
} satisfies FaultDefinition<BareFault<"networkError">>;
