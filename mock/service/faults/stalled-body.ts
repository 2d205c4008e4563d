import { type BareFault, type FaultDefinition, processed } from "./fault-definition.ts";

export const stalledBody = {
  type: "stalledBody",
  description: "stored, response body stops halfway",
  create: () => ({ type: "stalledBody" }),
  fields: {},
  delivers: "half",
  cannot: [],
  apply: (_fault, context) => ({ ...processed(context), how: "stalledBody", ended: context.wait() }),
} satisfies FaultDefinition<BareFault<"stalledBody">>;
