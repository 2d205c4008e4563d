import { type FaultDefinition, processed } from "./fault-definition.ts";

/**
 * The plant is stored, and the response body stops halfway while the connection stays open.
 *
 * @inline
 */
export type StalledBodyFault = { readonly type: "stalledBody" };

export const stalledBody = {
  type: "stalledBody",
  description: "stored, response body stops halfway",
  create: (): StalledBodyFault => ({ type: "stalledBody" }),
  fields: {},
  isStored: true,
  delivers: "half",
  cannot: [],
  apply: (_fault, context) => ({ ...processed(context), how: "stalledBody", ended: context.wait() }),
} satisfies FaultDefinition<StalledBodyFault>;
