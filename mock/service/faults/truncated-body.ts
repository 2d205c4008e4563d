import { type BareFault, type FaultDefinition, processed } from "./fault-definition.ts";

export const truncatedBody = {
  type: "truncatedBody",
  description: "stored, connection closed halfway through the response body",
  create: () => ({ type: "truncatedBody" }),
  fields: {},
  delivers: "half",
  cannot: [],
  apply: (_fault, context) => ({ ...processed(context), how: "truncatedBody" }),
} satisfies FaultDefinition<BareFault<"truncatedBody">>;
