import { type FaultDefinition, failed } from "./fault-definition.ts";

/**
 * The connection is refused; nothing is sent.
 *
 * @inline
 */
export type ConnectionRefusedFault = { readonly type: "connectionRefused" };

export const connectionRefused = {
  type: "connectionRefused",
  description: "connection refused, nothing sent",
  create: (): ConnectionRefusedFault => ({ type: "connectionRefused" }),
  fields: {},
  isStored: false,
  delivers: "end",
  // These adapters find the fault only after the request has arrived, too late to refuse its connection.
  cannot: ["msw", "browser", "http"],
  apply: (_fault, context) => failed("connectionRefused", context),
} satisfies FaultDefinition<ConnectionRefusedFault>;
