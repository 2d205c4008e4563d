/** How a service rejects a request. `$TRACE` is another text for each response, `$NUMBER` another number. */
export interface Rejection {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Rule = Rejection | "accept";

/** What a plant store does where the contract is silent, by the names of the report. It shares no code with the mock. */
export interface Choices {
  readonly created: { readonly status: number; readonly adds: readonly ("id" | "null" | "upper case" | "time")[] };
  readonly notFound: Rejection;
  readonly methodNotAllowed: Rejection;
  readonly severalTokens: Rule;
  readonly missingToken: Rule;
  readonly invalidToken: Rule;
  readonly mediaType: Rule;
  readonly encoding: Rule;
  readonly emptyBody: Rejection;
  readonly json: Rejection;
  readonly newPlant: Rejection;
  readonly emptyName: Rule;
  readonly nullTag: Rule;
  readonly idAsText: Rule;
  readonly idWithFraction: Rule;
  readonly idBeyondInt64: Rule;
  readonly unknownFields: Rule;
  readonly duplicateId: Rule;
}

/** A fraction from 0 to 1, of a seed. */
type Random = () => number;

function pick<Value>(random: Random, values: readonly Value[]): Value {
  return values[Math.floor(random() * values.length)] as Value;
}

const JSON_TYPE = { "Content-Type": "application/json" };
const CHALLENGE = { "WWW-Authenticate": 'Bearer realm="plants", error_description="$TRACE"' };

function rejection(random: Random, ...headers: readonly Readonly<Record<string, string>>[]): Rejection {
  const message = { error: Math.floor(random() * 2_000), message: "not for $TOKEN: $TRACE" };
  const [type, body] = pick(random, [
    [JSON_TYPE, JSON.stringify(message)],
    [{ "Content-Type": "application/json; charset=utf-8" }, JSON.stringify({ ...message, trace: "$TRACE" })],
    [{ "Content-Type": "application/problem+json" }, '{"title":"no","token":"$TOKEN","trace":"$TRACE"}'],
    [{ "Content-Type": "text/html" }, "<h1>No $TRACE</h1>"],
    [{}, ""],
  ]);
  return {
    status: pick(random, [400, 401, 403, 404, 405, 409, 413, 415, 422, 500]),
    headers: Object.assign({}, type, pick(random, [{}, ...headers])),
    body,
  };
}

export function choose(random: Random): Choices {
  const common = rejection(random);
  // Most services reject all invalid bodies alike.
  const own = () => pick(random, [common, common, rejection(random)]);
  const orAccept = (given: Rejection): Rule => (random() < 0.5 ? "accept" : given);
  return {
    created: {
      status: pick(random, [200, 200, 201]),
      adds: (["id", "null", "upper case", "time"] as const).filter(() => random() < 0.25),
    },
    notFound: rejection(random),
    methodNotAllowed: rejection(random, { Allow: "POST" }),
    severalTokens: orAccept(rejection(random, CHALLENGE)),
    missingToken: orAccept(rejection(random, CHALLENGE)),
    invalidToken: orAccept(rejection(random, CHALLENGE)),
    mediaType: orAccept(rejection(random)),
    encoding: orAccept(own()),
    emptyBody: own(),
    json: common,
    newPlant: own(),
    emptyName: orAccept(own()),
    nullTag: orAccept(own()),
    idAsText: orAccept(own()),
    idWithFraction: orAccept(own()),
    idBeyondInt64: orAccept(own()),
    unknownFields: orAccept(own()),
    duplicateId: orAccept(rejection(random)),
  };
}

interface ServiceRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly type: string | undefined;
  readonly bytes: Uint8Array;
}

/** A service with these choices, at `/v2`. */
export class GeneratedService {
  /** The plants by the digits of their ids, as they were sent. */
  readonly plants: string[] = [];
  readonly #choices: Choices;
  readonly #token: string;

  constructor(choices: Choices, token: string) {
    this.#choices = choices;
    this.#token = token;
  }

  answer(request: ServiceRequest): Rejection {
    const { status, headers, body } = this.#rejectionOf(request) ?? this.#create(request.bytes);
    const trace = Math.random().toString(36).slice(2);
    const randomInt = () => Math.floor(Math.random() * 2 ** 31);
    const fill = (text: string) =>
      text.replaceAll("$TRACE", trace).replaceAll("$TOKEN", this.#token).replaceAll("$NUMBER", `${randomInt()}`);
    return {
      status,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)])),
      body: fill(body),
    };
  }

  #rejectionOf({ method, path, authorization, type, bytes }: ServiceRequest): Rejection | undefined {
    const choices = this.#choices;
    const isSeveral = authorization?.includes(",") === true;
    const isMissing = authorization === undefined;
    const isInvalid = !isSeveral && !isMissing && authorization !== `Bearer ${this.#token}`;
    const rules: [isMet: boolean, rule: Rule][] = [
      [path !== "/v2/plants", choices.notFound],
      [method !== "POST", choices.methodNotAllowed],
      [isSeveral, choices.severalTokens],
      [isMissing, choices.missingToken],
      [isInvalid, choices.invalidToken],
      [type !== "application/json", choices.mediaType],
      [!isUtf8(bytes), choices.encoding],
      [bytes.length === 0, choices.emptyBody],
    ];
    return firstRejection(rules);
  }

  #create(bytes: Uint8Array): Rejection {
    const { created, ...choices } = this.#choices;
    const text = new TextDecoder().decode(bytes);
    let plant: Record<string, unknown>;
    try {
      plant = JSON.parse(text);
    } catch {
      return choices.json;
    }
    const { id, name, tag, ...others } = plant;
    const digits = /"id":"?(-?\d+)/.exec(text)?.[1] ?? "";
    const isNumber = typeof id === "number" || (typeof id === "string" && choices.idAsText === "accept");
    const rejection = firstRejection([
      [typeof id === "string", choices.idAsText],
      [
        !isNumber || typeof name !== "string" || (tag !== null && !/string|undefined/.test(typeof tag)),
        choices.newPlant,
      ],
      [name === "", choices.emptyName],
      [tag === null, choices.nullTag],
      [/"id":\d+\.0/.test(text), choices.idWithFraction],
      [digits.length > 18, choices.idBeyondInt64],
      [Object.keys(others).length > 0, choices.unknownFields],
      [this.plants.includes(digits), choices.duplicateId],
    ]);
    if (rejection !== undefined) return rejection;
    this.plants.push(digits);
    const { status, adds } = created;
    const body = {
      ...(adds.includes("id") && { id: digits }),
      name: adds.includes("upper case") ? `${name}`.toUpperCase() : name,
      tag: adds.includes("null") ? (tag ?? null) : (tag ?? undefined),
      ...(adds.includes("time") && { createdAt: "$TRACE" }),
    };
    return { status, headers: JSON_TYPE, body: JSON.stringify(body) };
  }
}

function firstRejection(rules: readonly [isMet: boolean, rule: Rule][]): Rejection | undefined {
  for (const [isMet, rule] of rules) if (isMet && rule !== "accept") return rule;
  return undefined;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
