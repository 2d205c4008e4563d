import { describe } from "../../src/checks/describe.ts";

/** The name and the first line of what was thrown, and where: the developer has to find it. */
export function describeThrown(thrown: unknown): string {
  const { name, message, stack } = Object(thrown) as Partial<Error>;
  if (typeof message !== "string") return describe(thrown);
  const place =
    typeof stack === "string" &&
    stack
      .split("\n")
      .find((line) => line.startsWith("    at "))
      ?.trim();
  const [line] = message.split("\n");
  return [`${name ?? "Error"}: ${line}`, ...(place ? [place] : [])].join(", ");
}
