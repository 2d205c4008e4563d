import type { IncomingMessage, ServerResponse } from "node:http";

/** Headers of every reply of the service, where pages of other origins may call it. */
export const CORS_HEADERS: readonly string[] = [
  ...["Access-Control-Allow-Origin", "*"],
  ...["Access-Control-Expose-Headers", "Allow, Retry-After, WWW-Authenticate"],
];

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
