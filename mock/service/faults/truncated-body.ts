import { type FaultDefinition, processed } from "./fault-definition.ts";

/**
 * The plant is stored, and the connection closes halfway through the response body.
 *
 * @inline
 */
export type TruncatedBodyFault = { readonly type: "truncatedBody" };

export const truncatedBody = {
  type: "truncatedBody",
  description: "stored, connection closed halfway through the response body",
  create: (): TruncatedBodyFault => ({ type: "truncatedBody" }),
  fields: {},
  isStored: true,
  delivers: "half",
  cannot: [],
  apply: (_fault, context) => ({ ...processed(context), how: "truncatedBody" }),
} satisfies FaultDefinition<TruncatedBodyFault>;
