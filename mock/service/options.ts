import { readBaseUrl } from "../../src/checks/base-url.ts";
import { kindOf } from "../../src/checks/describe.ts";
import { boolean, callable, checkedLater, integer, mustBe, oneOf, type Rules } from "../../src/checks/rules.ts";
import { narrowInt64 } from "../../src/contract/int64.ts";
import { type NewPlant, validateNewPlant } from "../../src/contract/plant.ts";
import { DEFAULT_MAX_BODY_MIB } from "./assumptions.ts";
import { checkOptions } from "./check-options.ts";
import type { MockAuthOptions, MockPlantStoreOptions } from "./mock-options.ts";
import type { Fetch } from "./mock-plant-store.ts";
import { type ResolvedRateLimit, resolveRateLimit } from "./rate-limit/rate-limit.ts";
import { type Refuse, resolveRefusals } from "./refusals.ts";
import { PlantList } from "./sessions/plant-list.ts";
import { checkToken, randomToken } from "./tokens.ts";

/** The options, checked, with every default filled in. */
export interface ResolvedOptions {
  readonly baseUrl: string;
  /** `undefined` if no token is required. */
  readonly auth: undefined | ResolvedAuth;
  readonly duplicateIds: "accept" | "reject";
  /** `undefined` accepts unknown fields as an assumption. */
  readonly unknownFields: "accept" | "reject" | undefined;
  readonly mediaType: "json" | "any";
  readonly refuse: Refuse;
  readonly rateLimit: ResolvedRateLimit | undefined;
  readonly outside: Fetch | undefined;
  readonly strict: boolean;
  readonly journalLimit: number;
  readonly journalLimitBytes: number;
  readonly maxBodyBytes: number;
  readonly seed: PlantList;
}

interface ResolvedAuth {
  /** The token of the root session. */
  readonly token: string;
  /** The valid tokens, if the option lists them. */
  readonly tokens?: ReadonlySet<string>;
  readonly isValid: (token: string) => boolean;
}

/** The rule of each option. The members of an object are checked where it is read. */
export const mockRules: Rules<MockPlantStoreOptions> = {
  baseUrl: (value) => readBaseUrl(value).problem,
  auth: (value) =>
    value === false || typeof value === "object"
      ? undefined
      : `must be false, or { tokens, missing, invalid }, not ${kindOf(value)}`,
  duplicateIds: oneOf("accept", "reject"),
  unknownFields: oneOf("accept", "reject"),
  mediaType: oneOf("json", "any"),
  rateLimit: checkedLater,
  replies: checkedLater,
  errorCodes: checkedLater,
  outside: callable,
  strict: boolean,
  journalLimit: integer(0),
  journalLimitBytes: integer(0),
  maxBodyBytes: integer(1),
  seed: mustBe("an iterable of plants", (value) => Symbol.iterator in Object(value)),
};

/**
 * Checks the options of a mock and fills in the defaults.
 *
 * @param adapterRules - The rules of further options, which only the adapter has.
 * @throws TypeError that names the option, the rule and the fix.
 */
export function resolveOptions(given: MockPlantStoreOptions, adapterRules: Rules<object> = {}): ResolvedOptions {
  const options = checkOptions(given, { ...mockRules, ...adapterRules });
  const auth = options.auth === false ? undefined : checkOptions(options.auth, AUTH_RULES, { within: "auth" });
  return {
    baseUrl: readBaseUrl(options.baseUrl ?? "https://plant-store.test").baseUrl as string,
    auth: auth && resolveAuth(auth),
    duplicateIds: options.duplicateIds ?? "accept",
    unknownFields: options.unknownFields,
    mediaType: options.mediaType ?? "json",
    refuse: resolveRefusals(options, auth),
    rateLimit: options.rateLimit === undefined ? undefined : resolveRateLimit(options.rateLimit),
    outside: options.outside,
    strict: options.strict ?? false,
    journalLimit: options.journalLimit ?? 1000,
    journalLimitBytes: options.journalLimitBytes ?? 8 * 2 ** 20,
    maxBodyBytes: options.maxBodyBytes ?? DEFAULT_MAX_BODY_MIB * 2 ** 20,
    seed: resolveSeed(options.seed ?? []),
  };
}

function resolveSeed(plants: Iterable<NewPlant>): PlantList {
  const list = new PlantList();
  let count = 0;
  for (const plant of plants) list.push(resolvePlant(plant, `seed[${count++}]`));
  return list;
}

/**
 * Copies a plant as the store holds it: with an id that is a bigint only if a number would round it.
 *
 * @throws TypeError if it is not a valid NewPlant.
 */
export function resolvePlant(plant: NewPlant, name: string): NewPlant {
  const result = validateNewPlant(plant);
  if (result.issues) {
    const problems = result.issues.map(({ path, message }) => `${[name, ...path].join(".")}: ${message}`);
    throw new TypeError(problems.join("; "));
  }
  const { value } = result;
  return { ...value, id: narrowInt64(value.id) };
}

const AUTH_RULES: Rules<MockAuthOptions> = {
  tokens: (value) =>
    Array.isArray(value) || typeof value === "function"
      ? undefined
      : `must be an array of tokens, or a function, not ${kindOf(value)}`,
  missing: checkedLater,
  invalid: checkedLater,
};

function resolveAuth({ tokens }: MockAuthOptions): ResolvedAuth {
  if (tokens === undefined) return { token: randomToken("root"), isValid: () => true };
  if (typeof tokens === "function") return { token: randomToken("root"), isValid: tokens };
  const valid = new Set<string>(tokens.map((token, index) => checkToken(token, `auth.tokens[${index}]`)));
  const [token] = valid;
  if (token === undefined) {
    throw new TypeError("auth.tokens: must not be empty; to reject every token, give a function that returns false");
  }
  return { token, tokens: valid, isValid: (other) => valid.has(other) };
}
