import type { AssumptionName, Cause } from "./service-reply.ts";

export interface Assumption {
  /** What the contract leaves open. */
  readonly unspecified: string;
  /** What the mock does. */
  readonly behavior: string;
  /** The options that change it; of a rejection, the first one sets the response. */
  readonly options: readonly [string, ...string[]];
  /** The response, if it is the cause of a rejection; names and values of the extra headers alternate. */
  readonly refusal?: {
    readonly status: number;
    readonly code: number;
    /** Absent if it depends on the request. */
    readonly message?: string;
    readonly headers?: readonly string[];
  };
}

/** The size limit of a request body. */
export const DEFAULT_MAX_BODY_BYTES = 1_048_576;

type Assumptions = {
  readonly [Name in AssumptionName]: Name extends Cause
    ? Assumption & Required<Pick<Assumption, "refusal">>
    : Assumption;
};

/** Every assumption, in the order in which the service checks them. A test prints it in docs/contract-and-assumptions.md. */
export const assumptions: Assumptions = {
  outside: {
    unspecified: "A URL outside the base URL",
    behavior: "`fetch` rejects with a TypeError, and `verify` fails; the MSW adapters leave it to MSW",
    options: ["baseUrl"],
  },
  notFound: {
    unspecified: "Other paths, and query parameters",
    behavior: "404 with an Error body, and `verify` fails",
    options: ["replies.notFound"],
    refusal: { status: 404, code: 40401 },
  },
  methodNotAllowed: {
    unspecified: "Other methods",
    behavior: "405 with `Allow` and an Error body, and `verify` fails",
    options: ["replies.methodNotAllowed"],
    refusal: { status: 405, code: 40501 },
  },
  severalTokens: {
    unspecified: "Several Authorization headers",
    behavior: '400 with `WWW-Authenticate: Bearer error="invalid_request"` (RFC 6750, section 3.1)',
    options: ["replies.severalTokens"],
    refusal: {
      status: 400,
      code: 40001,
      message: "Authorization: must be sent once, as `Bearer <token>`; received several values",
      headers: ["WWW-Authenticate", 'Bearer error="invalid_request"'],
    },
  },
  missingToken: {
    unspecified: "The response for a missing token",
    behavior: "401 with `WWW-Authenticate: Bearer` and an Error body, before the body is read",
    options: ["replies.missingToken", "auth: false"],
    refusal: {
      status: 401,
      code: 40101,
      message: "Authorization: must be `Bearer <token>`; received no token, or another scheme",
      headers: ["WWW-Authenticate", "Bearer"],
    },
  },
  invalidToken: {
    unspecified: "The response for an invalid token",
    behavior: '401 with `WWW-Authenticate: Bearer error="invalid_token"` and an Error body, before the body is read',
    options: ["replies.invalidToken"],
    refusal: { status: 401, code: 40102, headers: ["WWW-Authenticate", 'Bearer error="invalid_token"'] },
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
    refusal: { status: 429, code: 42901 },
  },
  mediaType: {
    unspecified: "A missing media type, or one other than application/json",
    behavior: "400; parameters such as `charset=utf-8` are ignored",
    options: ["replies.mediaType", 'mediaType: "any"'],
    refusal: { status: 400, code: 40002 },
  },
  tooLarge: {
    unspecified: "The size of a request body",
    behavior: "413 above 1 MiB",
    options: ["replies.tooLarge", "maxBodyBytes"],
    refusal: { status: 413, code: 41301 },
  },
  encoding: {
    unspecified: "A body that is ill-formed UTF-8, or begins with a byte order mark",
    behavior: "400",
    options: ["replies.encoding"],
    refusal: { status: 400, code: 40003 },
  },
  json: {
    unspecified: "A body that is empty or not JSON",
    behavior: "400",
    options: ["replies.json"],
    refusal: { status: 400, code: 40004 },
  },
  newPlant: {
    unspecified: "A JSON body that is not a NewPlant",
    behavior:
      "400, with a JSON pointer and a rule for each invalid field. The exact value of the id counts: " +
      "`1.0` and `1e2` are valid; `1.5`, `1e-400` and 2^63 are not. If a key is repeated, its last value counts",
    options: ["replies.newPlant"],
    refusal: { status: 400, code: 40005 },
  },
  unknownFields: {
    unspecified: "Fields that the contract does not name",
    behavior: 'accepted, not stored, not returned. With `unknownFields: "reject"`: 400, if nothing else is invalid',
    options: ["replies.unknownFields", "unknownFields"],
    refusal: { status: 400, code: 40007 },
  },
  duplicateId: {
    unspecified: "Whether ids are unique",
    behavior:
      "duplicates are accepted, because the contract promises 200 for every valid body; the mock keeps every plant " +
      'in order, and `get(id)` returns the newest. With `duplicateIds: "reject"`: 400',
    options: ["replies.duplicateId", "duplicateIds"],
    refusal: { status: 400, code: 40006 },
  },
};

/** The causes of a rejection, in the same order. */
export const causes: readonly Cause[] = Object.keys(assumptions).filter((name): name is Cause => {
  return assumptions[name as AssumptionName].refusal !== undefined;
});
