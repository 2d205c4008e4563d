import { NETWORK_ERROR } from "../delivery.ts";
import { durationField, type FaultDefinition } from "./fault-definition.ts";

/** The service stores the plant at once and sends its response later. */
export type DelayFault = {
  readonly type: "delay";
  /** The delay of the response, in milliseconds. */
  readonly ms: number;
};

export const delay = {
  type: "delay",
  title: "the response is late",
  description: "stored at once, response delayed",
  create: (ms: number): DelayFault => ({ type: "delay", ms }),
  fields: { ms: durationField("Delay, in milliseconds", 1000) },
  delivers: "response",
  async apply({ ms }, context) {
    const answer = context.answer();
    await context.wait(ms);
    context.settle(answer);
    return context.isOver ? NETWORK_ERROR : answer;
  },
} satisfies FaultDefinition<DelayFault>;
