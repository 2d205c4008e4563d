import { type FaultDefinition, failed } from "./fault-definition.ts";

/**
 * There is no connection at all.
 *
 * @inline
 */
export type ConnectionRefusedFault = { readonly type: "connectionRefused" };

export const connectionRefused = {
  type: "connectionRefused",
  description: "no connection at all",
  create: (): ConnectionRefusedFault => ({ type: "connectionRefused" }),
  fields: {},
  isStored: false,
  delivers: "end",
  // There, the request has arrived before the fault is looked up: it is too late to refuse a connection.
  cannot: ["msw", "browser", "http"],
  apply: (_fault, context) => failed("connectionRefused", context),
} satisfies FaultDefinition<ConnectionRefusedFault>;
