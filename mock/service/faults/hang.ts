import { type FaultDefinition, failed } from "./fault-definition.ts";

/**
 * Nothing is stored, and no response ever arrives.
 *
 * @inline
 */
export type HangFault = { readonly type: "hang" };

export const hang = {
  type: "hang",
  description: "no response, nothing stored",
  create: (): HangFault => ({ type: "hang" }),
  fields: {},
  isStored: false,
  delivers: "nothing",
  cannot: [],
  async apply(_fault, context) {
    await context.wait();
    return failed("networkError", context);
  },
} satisfies FaultDefinition<HangFault>;
