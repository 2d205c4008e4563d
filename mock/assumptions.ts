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
export type AssumptionName = Cause | "noAuth" | "anyMediaType" | "unknownFields";
