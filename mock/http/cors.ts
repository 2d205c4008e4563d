import type { IncomingMessage, ServerResponse } from "node:http";
import type { Delivery } from "../service/delivery.ts";

/** What a reply of the service says if pages of other origins may call it; a reply that sets such a header keeps its own. */
const CORS_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "Allow, Retry-After, WWW-Authenticate",
};

/** The further headers of a delivery that a page of another origin may read. */
export function withCors(delivery: Delivery, extra: readonly string[]): readonly string[] {
  const own =
    "headers" in delivery ? delivery.headers.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase()) : [];
  const missing = Object.entries(CORS_HEADERS).filter(([name]) => !own.includes(name.toLowerCase()));
  return [...missing.flat(), ...extra];
}

/**
 * Answers the question that a browser asks before a call from another origin.
 *
 * Source: the Fetch standard, "CORS-preflight fetch".
 *
 * @returns whether it was that question.
 */
export function answerPreflight(
  request: IncomingMessage,
  response: ServerResponse,
  methods: Iterable<string>,
  extra: readonly string[],
): boolean {
  const { method, headers } = request;
  if (method !== "OPTIONS" || !("origin" in headers) || !("access-control-request-method" in headers)) return false;
  const asked = headers["access-control-request-headers"] as string | undefined;
  response.writeHead(204, [
    ...["Access-Control-Allow-Origin", "*"],
    ...["Access-Control-Allow-Methods", [...methods].join(", ")],
    // A `*` would not cover Authorization.
    ...(asked === undefined ? [] : ["Access-Control-Allow-Headers", asked]),
    ...("access-control-request-private-network" in headers ? ["Access-Control-Allow-Private-Network", "true"] : []),
    ...["Access-Control-Max-Age", "600"],
    ...["Vary", "Access-Control-Request-Headers"],
    ...extra,
  ]);
  response.end();
  return true;
}
