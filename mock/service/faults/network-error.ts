import { type FaultDefinition, failed } from "./fault-definition.ts";

/**
 * The connection is reset, and nothing is stored.
 *
 * @inline
 */
export type NetworkErrorFault = { readonly type: "networkError" };

export const networkError = {
  type: "networkError",
  description: "connection reset, nothing stored",
  create: (): NetworkErrorFault => ({ type: "networkError" }),
  fields: {},
  isStored: false,
  delivers: "end",
  cannot: [],
  apply: (_fault, context) => failed("networkError", context),
} satisfies FaultDefinition<NetworkErrorFault>;
