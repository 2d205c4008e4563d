import { isInsecure } from "../../src/contract/base-url.ts";

/** Options of a client that sends its requests to this address. */
export function clientOptionsFor(
  baseUrl: string,
  token: string,
): { baseUrl: string; token: string; allowInsecure?: true } {
  return isInsecure(baseUrl) ? { baseUrl, token, allowInsecure: true } : { baseUrl, token };
}
