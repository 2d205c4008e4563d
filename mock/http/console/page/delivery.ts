import type { Fault } from "./api.ts";

/** What the client receives under a fault: the response, half of its body, the end of the connection, or nothing. */
export type Delivery = "response" | "half" | "end" | "nothing";

/** By type of fault, from the OpenAPI document of the control API. */
export const deliveries = new Map<string, Delivery>();

export function deliveryOf(fault: Fault | undefined): Delivery {
  return deliveries.get(fault?.type ?? "") ?? "response";
}

export const RESENT_NOTE =
  "If a web page in Chromium sent this, the list may show the request twice: Chromium itself sends a request again if a reused connection ends without a response. Other clients do not.";
