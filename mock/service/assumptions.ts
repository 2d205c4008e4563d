/** Why the mock rejects a request. Each cause has its own `error` value. */
export type Cause =
  | "severalTokens"
  | "missingToken"
  | "invalidToken"
  | "mediaType"
  | "encoding"
  | "json"
  | "newPlant"
  | "duplicateId"
  | "notFound"
  | "methodNotAllowed"
  | "tooLarge"
  | "rateLimited";

/** A behavior of the mock that the contract does not specify. */
export type AssumptionName = Cause | "anyToken" | "unknownFields" | "outside";

export interface Assumption {
  /** What the contract leaves open. */
  readonly unspecified: string;
  /** What the mock does. */
  readonly behavior: string;
  /** The options that change it; the first one sets the response. */
  readonly options: readonly [string, ...string[]];
}

/** The size limit of a request body, in MiB. */
export const DEFAULT_MAX_BODY_MIB = 1;

/** The response to each cause: the status, the `error` value, and extra headers (names and values alternate). */
export const refusals: { readonly [Name in Cause]: Refusal } = {
  severalTokens: { status: 400, code: 40001, headers: ["WWW-Authenticate", 'Bearer error="invalid_request"'] },
  mediaType: { status: 400, code: 40002, headers: [] },
  encoding: { status: 400, code: 40003, headers: [] },
  json: { status: 400, code: 40004, headers: [] },
  newPlant: { status: 400, code: 40005, headers: [] },
  duplicateId: { status: 400, code: 40006, headers: [] },
  missingToken: { status: 401, code: 40101, headers: ["WWW-Authenticate", "Bearer"] },
  invalidToken: { status: 401, code: 40102, headers: ["WWW-Authenticate", 'Bearer error="invalid_token"'] },
  notFound: { status: 404, code: 40401, headers: [] },
  methodNotAllowed: { status: 405, code: 40501, headers: [] },
  tooLarge: { status: 413, code: 41301, headers: [] },
  rateLimited: { status: 429, code: 42901, headers: [] },
};

interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly headers: readonly string[];
}

/** Every assumption, in the order in which the service checks them. A test prints it in docs/contract-and-assumptions.md. */
export const assumptions: { readonly [Name in AssumptionName]: Assumption } = {
  outside: {
    unspecified: "A URL outside the base URL",
    behavior: "`fetch` rejects with a TypeError, and `verify` fails; the MSW adapters leave it to MSW",
    options: ["outside"],
  },
  notFound: {
    unspecified: "Other paths, and query parameters",
    behavior: "404 with an Error body, and `verify` fails",
    options: ["replies.notFound"],
  },
  methodNotAllowed: {
    unspecified: "Other methods",
    behavior: "405 with `Allow` and an Error body, and `verify` fails",
    options: ["replies.methodNotAllowed"],
  },
  severalTokens: {
    unspecified: "Several Authorization headers",
    behavior: '400 with `WWW-Authenticate: Bearer error="invalid_request"` (RFC 6750, section 3.1)',
    options: ["replies.severalTokens"],
  },
  missingToken: {
    unspecified: "The response for a missing token",
    behavior: "401 with `WWW-Authenticate: Bearer` and an Error body, before the body is read",
    options: ["auth.missing", "auth: false"],
  },
  invalidToken: {
    unspecified: "The response for an invalid token",
    behavior: '401 with `WWW-Authenticate: Bearer error="invalid_token"` and an Error body, before the body is read',
    options: ["auth.invalid"],
  },
  anyToken: {
    unspecified: "Which tokens are valid",
    behavior: "any non-empty bearer token; the scheme is case-insensitive",
    options: ["auth.tokens"],
  },
  rateLimited: {
    unspecified: "Rate limits and quotas",
    behavior:
      "no limit, unless `rateLimit` is set: then 429 with `Retry-After` and an Error body above the limit, " +
      "checked after authorization and before faults",
    options: ["replies.rateLimited", "rateLimit"],
  },
  mediaType: {
    unspecified: "A missing media type, or one other than application/json",
    behavior: "400; parameters such as `charset=utf-8` are ignored",
    options: ["replies.mediaType", 'mediaType: "any"'],
  },
  tooLarge: {
    unspecified: "The size of a request body",
    behavior: `413 above ${DEFAULT_MAX_BODY_MIB} MiB`,
    options: ["replies.tooLarge", "maxBodyBytes"],
  },
  encoding: {
    unspecified: "A body that is ill-formed UTF-8, or begins with a byte order mark",
    behavior: "400",
    options: ["replies.encoding"],
  },
  json: {
    unspecified: "A body that is empty or not JSON",
    behavior: "400",
    options: ["replies.json"],
  },
  newPlant: {
    unspecified: "A JSON body that is not a NewPlant",
    behavior:
      "400, with a JSON pointer and a rule for each invalid field. The exact value of the id counts: " +
      "`1.0` and `1e2` are valid; `1.5`, `1e-400` and 2^63 are not. If a key is repeated, its last value counts",
    options: ["replies.newPlant"],
  },
  unknownFields: {
    unspecified: "Fields that the contract does not name",
    behavior: "accepted, not stored, not returned",
    options: ["unknownFields"],
  },
  duplicateId: {
    unspecified: "Whether ids are unique",
    behavior:
      "duplicates are accepted, because the contract promises 200 for every valid body; the mock keeps every plant " +
      'in order, and `get(id)` returns the newest. With `duplicateIds: "reject"`: 400',
    options: ["replies.duplicateId", "duplicateIds"],
  },
};
