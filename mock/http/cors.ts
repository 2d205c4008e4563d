import type { IncomingMessage, ServerResponse } from "node:http";
import { type Delivery, hasResponse } from "../service/delivery.ts";

/** The headers that every response gets if `cors` is on, except for those that the response sets itself. */
const CORS_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "Allow, Retry-After, WWW-Authenticate",
};

/** Adds the CORS headers that a delivery does not set itself. */
export function withCors(delivery: Delivery): Delivery {
  if (!hasResponse(delivery)) return delivery;
  const own = delivery.headers.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
  const missing = Object.entries(CORS_HEADERS).filter(([name]) => !own.includes(name.toLowerCase()));
  return { ...delivery, headers: [...delivery.headers, ...missing.flat()] };
}

/** How to turn `cors` on. */
export const CORS_ADVICE = "to allow web pages of other origins, set cors: true, or --cors";

/**
 * Whether a browser asks if a page of another origin may call the service.
 *
 * Source: the Fetch standard, "CORS-preflight fetch".
 */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === "OPTIONS" && "origin" in headers && "access-control-request-method" in headers;
}

/** Responds to a preflight request: the page may call the service. */
export function answerPreflight(
  { headers }: IncomingMessage,
  response: ServerResponse,
  methods: Iterable<string>,
): void {
  const requested = headers["access-control-request-headers"] as string | undefined;
  response.writeHead(204, [
    ...["Access-Control-Allow-Origin", "*"],
    ...["Access-Control-Allow-Methods", [...methods].join(", ")],
    // The names, because `*` would not cover Authorization.
    ...(requested === undefined ? [] : ["Access-Control-Allow-Headers", requested]),
    ...("access-control-request-private-network" in headers ? ["Access-Control-Allow-Private-Network", "true"] : []),
    ...["Access-Control-Max-Age", "600"],
    ...["Vary", "Access-Control-Request-Headers"],
  ]);
  response.end();
}
