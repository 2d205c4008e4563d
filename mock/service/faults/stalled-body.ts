import { type FaultDefinition, processed } from "./fault-definition.ts";

/**
 * The plant is stored, and the body stops halfway, on an open connection.
 *
 * @inline
 */
export type StalledBodyFault = { readonly type: "stalledBody" };

export const stalledBody = {
  type: "stalledBody",
  description: "stored, stops within the body",
  create: (): StalledBodyFault => ({ type: "stalledBody" }),
  fields: {},
  isStored: true,
  delivers: "half",
  cannot: [],
  apply: (_fault, context) => ({ ...processed(context), how: "stalledBody", ended: context.wait() }),
} satisfies FaultDefinition<StalledBodyFault>;
