import { narrowInt64 } from "../../src/contract/int64.ts";
import { type NewPlant, validateNewPlant } from "../../src/contract/plant.ts";
import { type Cause, refusals } from "./assumptions.ts";
import type { Fetch, MockAuthOptions, MockPlantStoreOptions } from "./mock-plant-store.ts";
import { type Answer, checkReply, createRefuse } from "./reply.ts";

/** The options, checked, with every default filled in. */
export interface Choices {
  readonly baseUrl: string;
  /** `undefined` asks for no token. */
  readonly auth: undefined | { readonly token: string; readonly isValid: (token: string) => boolean };
  readonly duplicateIds: "accept" | "reject";
  /** `undefined` is "accept", as an assumption. */
  readonly unknownFields: "accept" | "reject" | undefined;
  readonly mediaType: "json" | "any";
  readonly refuse: (cause: Cause, message: string) => Answer;
  readonly outside: Fetch | undefined;
  readonly strict: boolean;
  readonly journalLimit: number;
  readonly maxBodyBytes: number;
  readonly seed: readonly NewPlant[];
}

/**
 * Checks the options of a mock and fills in the defaults.
 *
 * @throws TypeError that names the option, the rule and the fix.
 */
export function readOptions(options: MockPlantStoreOptions): Choices {
  const auth = options.auth === false ? undefined : checkAuth(options.auth ?? {});
  return {
    baseUrl: readBaseUrl(options.baseUrl ?? "http://plant-store.test"),
    auth: auth && readTokens(auth),
    duplicateIds: oneOf("duplicateIds", options.duplicateIds, ["accept", "reject"]),
    unknownFields:
      options.unknownFields === undefined
        ? undefined
        : oneOf<"accept" | "reject">("unknownFields", options.unknownFields, ["accept", "reject"]),
    mediaType: oneOf("mediaType", options.mediaType, ["json", "any"]),
    refuse: readRefusals(options, auth),
    outside: options.outside,
    strict: options.strict ?? false,
    journalLimit: count("journalLimit", options.journalLimit, 1000, 0),
    maxBodyBytes: count("maxBodyBytes", options.maxBodyBytes, 2 ** 20, 1),
    seed: Array.from(options.seed ?? [], (plant, index) => readPlant(plant, `seed[${index}]`)),
  };
}

/**
 * A plant as the store holds it: a copy, the id narrowed.
 *
 * @throws TypeError when it is no valid NewPlant.
 */
export function readPlant(plant: NewPlant, name: string): NewPlant {
  const result = validateNewPlant(plant);
  if (result.issues) {
    const rules = result.issues.map(({ path, message }) => `${[name, ...path].join(".")}: ${message}`);
    throw new TypeError(rules.join("; "));
  }
  const { value } = result;
  return { ...value, id: narrowInt64(BigInt(value.id)) };
}

/**
 * A token that Authorization can carry.
 *
 * @throws TypeError when it is none.
 */
export function checkToken(token: string, name: string): string {
  if (typeof token === "string" && /^[\x21-\x2b\x2d-\x7e]+$/.test(token)) return token;
  throw new TypeError(`${name}: must be a string of visible ASCII characters without spaces and commas, not empty`);
}

/** A token that nobody else has, long enough that the client hides it in every text. */
export function randomToken(prefix: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `${prefix}-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

function readBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const isPlain = url !== undefined && `${url.username}${url.password}${url.search}${url.hash}` === "";
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`baseUrl: must be an absolute http or https URL without credentials, query and fragment`);
  }
  return url.href.replace(/\/+$/, "");
}

function checkAuth(auth: MockAuthOptions): MockAuthOptions {
  if (typeof auth === "object") return auth;
  throw new TypeError("auth: must be false, or { tokens, missing, invalid }");
}

function readTokens({ tokens }: MockAuthOptions): { token: string; isValid: (token: string) => boolean } {
  if (tokens === undefined) return { token: randomToken("root"), isValid: () => true };
  if (typeof tokens === "function") return { token: randomToken("root"), isValid: tokens };
  if (!Array.isArray(tokens)) throw new TypeError("auth.tokens: must be an array of tokens, or a function");
  const valid = new Set<string>(tokens.map((token, index) => checkToken(token, `auth.tokens[${index}]`)));
  const [token] = valid;
  if (token === undefined)
    throw new TypeError("auth.tokens: must name a token, or be a function that refuses them all");
  return { token, isValid: (other) => valid.has(other) };
}

function readRefusals(options: MockPlantStoreOptions, auth: MockAuthOptions | undefined): Choices["refuse"] {
  const replies = { ...options.replies };
  const errorCodes = { ...options.errorCodes };
  if (auth?.missing !== undefined) replies.missingToken = auth.missing;
  if (auth?.invalid !== undefined) replies.invalidToken = auth.invalid;
  for (const [cause, reply] of Object.entries(replies)) {
    checkCause(cause, "replies");
    if (reply !== undefined) checkReply(reply, `replies.${cause}`);
  }
  for (const [cause, code] of Object.entries(errorCodes)) {
    checkCause(cause, "errorCodes");
    if (code !== undefined && (code | 0) !== code)
      throw new TypeError(`errorCodes.${cause}: must be an integer from -2147483648 to 2147483647`);
  }
  return createRefuse({ replies, errorCodes });
}

function checkCause(cause: string, option: string): void {
  if (!Object.hasOwn(refusals, cause)) {
    throw new TypeError(`${option}.${cause}: is no cause of a refusal; use ${Object.keys(refusals).join(", ")}`);
  }
}

function oneOf<Value extends string>(
  name: string,
  value: Value | undefined,
  values: readonly [Value, ...Value[]],
): Value {
  if (value === undefined) return values[0];
  if (values.includes(value)) return value;
  throw new TypeError(`${name}: must be ${values.map((allowed) => JSON.stringify(allowed)).join(" or ")}`);
}

function count(name: string, value: number | undefined, otherwise: number, least: number): number {
  if (value === undefined) return otherwise;
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new TypeError(`${name}: must be an integer from ${least}`);
}
