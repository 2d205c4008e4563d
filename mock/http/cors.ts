import type { IncomingMessage, ServerResponse } from "node:http";
import type { Operation } from "../service/operation.ts";
import { type Delivery, headerPairs } from "../service/wire-reply.ts";

/** Adds the CORS headers that a response does not set itself. A page may read all of its headers. */
export function withCors(delivery: Delivery): Delivery {
  if (!("headers" in delivery)) return delivery;
  const own = headerPairs(delivery.headers).map(([name]) => name.toLowerCase());
  const cors = { "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": own.join(", ") };
  const missing = Object.entries(cors).filter(([name]) => !own.includes(name.toLowerCase()));
  return { ...delivery, headers: [...delivery.headers, ...missing.flat()] };
}

/**
 * Whether a browser asks if a page of another origin may call the service.
 *
 * Source: the Fetch standard, "CORS-preflight fetch".
 */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === "OPTIONS" && "origin" in headers && "access-control-request-method" in headers;
}

/** Responds to a preflight request: the page may call the service. */
export function answerPreflight(response: ServerResponse, operations: readonly Operation[]): void {
  const { headers } = response.req;
  const methods = new Set(operations.map(({ method }) => method));
  const requested = headers["access-control-request-headers"] as string | undefined;
  response.writeHead(204, [
    ...["Access-Control-Allow-Origin", "*"],
    ...["Access-Control-Allow-Methods", [...methods].join(", ")],
    // The names, because `*` would not cover Authorization.
    ...(requested === undefined ? [] : ["Access-Control-Allow-Headers", requested]),
    ...["Access-Control-Max-Age", "600"],
    ...["Vary", "Access-Control-Request-Headers"],
  ]);
  response.end();
}
