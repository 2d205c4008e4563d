import { describe } from "../../src/checks/describe.ts";

/** The name and the first line of what was thrown, and where: the developer has to find it. */
export function describeThrown(thrown: unknown): string {
  const { name, message, stack } = Object(thrown) as Partial<Error>;
  if (typeof message !== "string") return describe(thrown);
  const place = /^\s+at (.+)$/m.exec(typeof stack === "string" ? stack : "")?.[1];
  const [line] = message.split("\n");
  return [`${name ?? "Error"}: ${line}`, ...(place ? [`at ${place}`] : [])].join(", ");
}
