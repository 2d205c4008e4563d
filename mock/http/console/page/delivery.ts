import type { Fault } from "./api.ts";

/** How much a client receives: the whole response, half of its body, only the end of the connection, or nothing. */
export type Delivery = "response" | "half" | "end" | "nothing";

/** The delivery of each type of fault, read from the OpenAPI document of the control API. */
export const deliveries = new Map<string, Delivery>();

export function deliveryOf(fault: Fault | undefined): Delivery {
  return deliveries.get(fault?.type ?? "") ?? "response";
}

export const RESENT_NOTE =
  "If a web page in Chromium sent this request, the list may show it twice: Chromium itself sends a request again if a reused connection ends without a response.";
