import { isInsecure } from "../../src/checks/base-url.ts";
import type { MockClientOptions } from "./mock-plant-store.ts";

/** Options of a client that sends its requests to this address. */
export function clientOptionsFor(baseUrl: string, token: string): Omit<MockClientOptions, "fetch"> {
  return isInsecure(baseUrl) ? { baseUrl, token, allowInsecure: true } : { baseUrl, token };
}
