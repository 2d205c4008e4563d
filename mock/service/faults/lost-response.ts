import { type FaultDefinition, processed } from "./fault-definition.ts";

/**
 * The plant is stored, and the connection closes without a response.
 *
 * @inline
 */
export type LostResponseFault = { readonly type: "lostResponse" };

export const lostResponse = {
  type: "lostResponse",
  description: "stored, connection closed without a response",
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
