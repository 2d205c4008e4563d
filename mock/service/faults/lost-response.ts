import { type FaultDefinition, processed } from "./fault-definition.ts";

/**
 * The plant is stored, and the connection closes without a reply.
 *
 * @inline
 */
export type LostResponseFault = { readonly type: "lostResponse" };

export const lostResponse = {
  type: "lostResponse",
  description: "stored, closed without a reply",
  create: (): LostResponseFault => ({ type: "lostResponse" }),
  fields: {},
  isStored: true,
  delivers: "end",
  cannot: [],
  apply(_fault, context) {
    processed(context);
    return { how: "lostResponse" };
  },
} satisfies FaultDefinition<LostResponseFault>;
