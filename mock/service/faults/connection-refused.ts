import { type BareFault, type FaultDefinition, failed } from "./fault-definition.ts";

export const connectionRefused = {
  type: "connectionRefused",
  description: "connection refused, nothing sent",
  create: () => ({ type: "connectionRefused" }),
  fields: {},
  delivers: "end",
  // These adapters find the fault only after the request has arrived, too late to refuse its connection.
  cannot: ["msw", "browser", "http"],
  apply: (_fault, context) => failed("connectionRefused", context),
} satisfies FaultDefinition<BareFault<"connectionRefused">>;
