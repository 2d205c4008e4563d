import { CREATE_PLANT } from "../../src/contract/operations.ts";

/** Why the mock refuses a request. Each has an `error` value of its own. */
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
  | "tooLarge";

/** A choice of the mock where the contract is silent. */
export type AssumptionName = Cause | "anyToken" | "unknownFields" | "outside";

/** One choice of the mock where the contract is silent, in words. */
export interface Assumption {
  /** What the contract does not show. */
  readonly silent: string;
  /** What the mock does. */
  readonly choice: string;
  /** The options that change it; the first states the answer itself. */
  readonly options: readonly [string, ...string[]];
}

/** The answer to each cause of a refusal: the status, the `error` value, and further headers, name and value in turn. */
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
  methodNotAllowed: { status: 405, code: 40501, headers: ["Allow", CREATE_PLANT.method] },
  tooLarge: { status: 413, code: 41301, headers: [] },
};

/** The `error` value of the fault `rateLimited`. */
export const RATE_LIMITED_CODE = 42901;

interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly headers: readonly string[];
}

/** Every assumption, in the order in which the service comes upon them. The page in docs is printed from this table. */
export const assumptions: { readonly [Name in AssumptionName]: Assumption } = {
  outside: {
    silent: "A URL outside the base URL",
    choice: "`fetch` rejects with a TypeError, and `verify` fails; the MSW forms leave it to MSW",
    options: ["outside"],
  },
  notFound: {
    silent: "Other paths, and query parameters",
    choice: "404 with an Error body, and `verify` fails",
    options: ["replies.notFound"],
  },
  methodNotAllowed: {
    silent: "Other methods",
    choice: `405 with \`Allow: ${CREATE_PLANT.method}\` and an Error body, and \`verify\` fails`,
    options: ["replies.methodNotAllowed"],
  },
  severalTokens: {
    silent: "Several Authorization headers",
    choice: '400 with `WWW-Authenticate: Bearer error="invalid_request"` (RFC 6750, section 3.1)',
    options: ["replies.severalTokens"],
  },
  missingToken: {
    silent: "The response for a missing token",
    choice: "401 with `WWW-Authenticate: Bearer` and an Error body, before the body is looked at",
    options: ["auth.missing", "auth: false"],
  },
  invalidToken: {
    silent: "The response for an invalid token",
    choice: '401 with `WWW-Authenticate: Bearer error="invalid_token"` and an Error body, before the body is looked at',
    options: ["auth.invalid"],
  },
  anyToken: {
    silent: "Which tokens are valid",
    choice: "any non-empty bearer token; the scheme is case-insensitive",
    options: ["auth.tokens"],
  },
  mediaType: {
    silent: "A media type that is not application/json",
    choice: "400, also for a missing one; parameters such as `charset=utf-8` do no harm",
    options: ["replies.mediaType", 'mediaType: "any"'],
  },
  tooLarge: {
    silent: "The size of a request body",
    choice: "413 above 1 MiB",
    options: ["replies.tooLarge", "maxBodyBytes"],
  },
  encoding: {
    silent: "A body that is ill-formed UTF-8, or begins with a byte order mark",
    choice: "400",
    options: ["replies.encoding"],
  },
  json: {
    silent: "A body that is empty, or no JSON",
    choice: "400",
    options: ["replies.json"],
  },
  newPlant: {
    silent: "A body that is no NewPlant",
    choice:
      "400, with a JSON pointer and a rule for each field; the id counts by its exact value: " +
      "`1.0` and `1e2` are integers, `1.5`, `1e-400` and 2^63 are no int64; of duplicate keys the last one counts",
    options: ["replies.newPlant"],
  },
  unknownFields: {
    silent: "Fields that the contract does not name",
    choice: "accepted, not stored, not returned",
    options: ["unknownFields"],
  },
  duplicateId: {
    silent: "Uniqueness of id",
    choice:
      "duplicates are accepted, because 200 is promised for every valid body; every creation is kept in order, " +
      "and `get(id)` gives the newest",
    options: ["duplicateIds", "replies.duplicateId"],
  },
};
