import { oneOf, type Rule } from "../../src/checks/rules.ts";

type Reaction = "bypass" | "warn" | "error";

export const reactionRule: Rule = oneOf("bypass", "warn", "error");

/** The option of MSW for requests outside the base URL: MSW 2 reads the first name, MSW 3 the second. */
export function onUnhandled(reaction: Reaction) {
  return { onUnhandledRequest: reaction, onUnhandledFrame: reaction };
}
