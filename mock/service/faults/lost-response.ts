import { type BareFault, type FaultDefinition, processed } from "./fault-definition.ts";

export const lostResponse = {
  type: "lostResponse",
  description: "stored, connection closed without a response",
  create: () => ({ type: "lostResponse" }),
  fields: {},
  delivers: "end",
  cannot: [],
  apply(_fault, context) {
    processed(context);
    return { how: "lostResponse" };
  },
} satisfies FaultDefinition<BareFault<"lostResponse">>;
