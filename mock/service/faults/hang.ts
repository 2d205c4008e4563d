import { type BareFault, type FaultDefinition, failed } from "./fault-definition.ts";

export const hang = {
  type: "hang",
  description: "no response, nothing stored",
  create: () => ({ type: "hang" }),
  fields: {},
  delivers: "nothing",
  cannot: [],
  async apply(_fault, context) {
    await context.wait();
    return failed("networkError", context);
  },
} satisfies FaultDefinition<BareFault<"hang">>;
