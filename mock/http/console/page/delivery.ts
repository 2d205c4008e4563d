import type { Fault } from "./api.ts";

/** What reaches the client under a fault: the response, half of its body, the end of the connection, or nothing. */
export type Delivery = "response" | "half" | "end" | "nothing";

/** What each type of fault lets through, as the control API's document says. */
export const deliveries = new Map<string, Delivery>();

export function deliveryOf(fault: Fault | undefined): Delivery {
  return deliveries.get(fault?.type ?? "") ?? "response";
}

export const RESENT_NOTE =
  "If a web page in Chromium sent this, the request may be here twice: Chromium itself sends a request again if a reused connection ends without a response. Other clients do not.";
