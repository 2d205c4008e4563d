import { assumptions } from "../../service/assumptions.ts";
import { definitionOf } from "../../service/faults/fault.ts";
import type { RecordedRequest } from "../../service/mock-plant-store.ts";

/** Why a request was answered as it was, in plain words. */
export function reasonOf(request: RecordedRequest): string {
  return explain(request).replaceAll("`", "");
}

function explain({ provenance, assumption, fault, reply, status }: RecordedRequest): string {
  if (fault !== undefined) return `A test injected the fault ${fault.type}: ${definitionOf(fault).description}.`;
  if (provenance === "declared") return "The contract declares this response.";
  const message = (reply?.body as { message?: unknown } | undefined)?.message;
  const detail = typeof message === "string" && Number(status) >= 400 ? `${message}. ` : "";
  if (assumption !== undefined) {
    const { unspecified, behavior, options } = assumptions[assumption];
    return `${detail}The contract does not specify this: ${unspecified}. The mock: ${behavior}. To change it: ${options.join(", ")}.`;
  }
  if (provenance === "assumed") return `${detail}The options of the mock state this response.`;
  return "There is no response yet.";
}
