import type { Answer } from "../answer.ts";
import type { Delivery, FailureDelivery } from "../delivery.ts";
import type { FaultContext, FaultDefinition } from "./fault-definition.ts";

/** A fault without fields. */
type BareFault<Type extends string> = { readonly type: Type };

export const hang = {
  type: "hang",
  title: "no response",
  description: "no response, nothing stored",
  create: () => ({ type: "hang" }),
  fields: {},
  delivers: "nothing",
  async apply(_fault, context) {
    await context.wait();
    return failed("networkError", context);
  },
} satisfies FaultDefinition<BareFault<"hang">>;

export const networkError = {
  type: "networkError",
  title: "the connection is reset",
  description: "connection reset, nothing stored",
  create: () => ({ type: "networkError" }),
  fields: {},
  delivers: "end",
  apply: (_fault, context) => failed("networkError", context),
} satisfies FaultDefinition<BareFault<"networkError">>;

export const connectionRefused = {
  type: "connectionRefused",
  title: "the connection is refused",
  description: "connection refused, nothing sent",
  create: () => ({ type: "connectionRefused" }),
  fields: {},
  delivers: "end",
  // The other adapters find the fault only after the request has arrived, too late to refuse its connection.
  isInMemoryOnly: true,
  apply: (_fault, context) => failed("connectionRefused", context),
} satisfies FaultDefinition<BareFault<"connectionRefused">>;

export const lostResponse = {
  type: "lostResponse",
  title: "the response is lost",
  description: "stored, connection closed without a response",
  create: () => ({ type: "lostResponse" }),
  fields: {},
  delivers: "end",
  apply(_fault, context) {
    processed(context);
    return { how: "lostResponse" };
  },
} satisfies FaultDefinition<BareFault<"lostResponse">>;

export const truncatedBody = {
  type: "truncatedBody",
  title: "the body is cut off",
  description: "stored, connection closed halfway through the response body",
  create: () => ({ type: "truncatedBody" }),
  fields: {},
  delivers: "half",
  apply: (_fault, context) => ({ ...processed(context), how: "truncatedBody" }),
} satisfies FaultDefinition<BareFault<"truncatedBody">>;

export const stalledBody = {
  type: "stalledBody",
  title: "the body stalls",
  description: "stored, response body stops halfway",
  create: () => ({ type: "stalledBody" }),
  fields: {},
  delivers: "half",
  apply: (_fault, context) => ({ ...processed(context), how: "stalledBody", ended: context.wait() }),
} satisfies FaultDefinition<BareFault<"stalledBody">>;

/** Lets the service process the request, and records its response. */
function processed(context: FaultContext): Answer {
  const answer = context.answer();
  context.settle(answer);
  return answer;
}

/** Ends the request before the service processes it. */
function failed(how: FailureDelivery["how"], context: FaultContext): Delivery {
  context.settle(undefined);
  return { how };
}
