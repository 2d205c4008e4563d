import { assumptions } from "../../service/assumptions.ts";
import { definitionOf } from "../../service/faults/fault.ts";
import type { LoggedRequest } from "../../service/mock-plant-store.ts";

/** Explains in plain text why a request got its response. */
export function reasonOf(request: LoggedRequest): string {
  return explain(request).replaceAll("`", "");
}

function explain({ provenance, assumption, fault, reason }: LoggedRequest): string {
  if (fault !== undefined)
    return `The injected fault ${fault.type} affected this request: ${definitionOf(fault).description}.`;
  if (provenance === "declared") return "The contract declares this response.";
  const detail = reason === undefined ? "" : `${reason}. `;
  if (assumption !== undefined) {
    const { unspecified, behavior, options } = assumptions[assumption];
    const subject = unspecified.replace(/^./, (first) => first.toLowerCase());
    return `${detail}The contract does not specify this: ${subject}. The mock's default: ${behavior}. Options that change it: ${options.join(", ")}.`;
  }
  if (provenance === "assumed") return `${detail}An option of the mock determines this response.`;
  return "There is no response yet.";
}
