import { decodeNewPlant } from "../../src/contract/json.ts";
import { CREATE_PLANT } from "../../src/contract/operations.ts";
import { type NewPlant, validateNewPlant } from "../../src/contract/plant.ts";
import type { ServiceRequest } from "./adapter.ts";
import type { Cause } from "./assumptions.ts";
import type { Credentials } from "./credentials.ts";
import type { Choices } from "./options.ts";
import { type Answer, JSON_HEADERS } from "./reply.ts";
import type { Exchange } from "./sessions/exchange.ts";
import type { SessionState } from "./sessions/session-state.ts";

/** One request, with all that the service needs to answer it. */
export interface Call {
  readonly exchange: Exchange;
  readonly credentials: Credentials;
  readonly body: ServiceRequest["body"];
  readonly state: SessionState;
  readonly choices: Choices;
  /** Path of the one operation. */
  readonly plantsPath: string;
  /** Where a success would come from, by what was seen of the request so far. */
  success: Source;
}

type Source = Pick<Answer, "provenance" | "assumption">;

/** The contract shows the reply. */
export const DECLARED: Source = { provenance: "declared", assumption: undefined };

/** The contract does not show it; the test has stated it with an option. */
const STATED: Source = { provenance: "assumed", assumption: undefined };

/** The service itself: each step refuses the request, or lets it go on. */
export function answer(call: Call): Answer {
  return route(call) ?? authorize(call) ?? checkMediaType(call) ?? checkSize(call) ?? createPlant(call);
}

function route({ exchange: { method, path }, choices, plantsPath }: Call): Answer | undefined {
  if (path !== plantsPath) {
    const hint = path.startsWith(`${plantsPath}?`) ? "it takes no query parameters" : "the service has no other path";
    return choices.refuse("notFound", `${method} ${path}: must be ${CREATE_PLANT.method} ${plantsPath}; ${hint}`);
  }
  if (method === CREATE_PLANT.method) return undefined;
  return choices.refuse(
    "methodNotAllowed",
    `${method} ${path}: must be ${CREATE_PLANT.method}; the service has no other operation`,
  );
}

function authorize(call: Call): Answer | undefined {
  const { credentials, state, choices } = call;
  const { token, problem } = credentials;
  if (choices.auth === undefined) {
    if (token === undefined) call.success = STATED;
    return undefined;
  }
  if (problem !== undefined) return choices.refuse(...MALFORMED[problem]);
  if (state.tokens?.has(token) || isValid(token, call, choices.auth.isValid)) return undefined;
  return choices.refuse(
    "invalidToken",
    "Authorization: the bearer token is not valid; send one that the service knows",
  );
}

const MALFORMED: { readonly [Problem in NonNullable<Credentials["problem"]>]: readonly [Cause, string] } = {
  several: ["severalTokens", "Authorization: must be sent once, as `Bearer <token>`; it has several values"],
  missing: ["missingToken", "Authorization: is required; send `Bearer <token>`"],
  malformed: ["invalidToken", "Authorization: must be `Bearer <token>`; the token has a space in it"],
};

function isValid(token: string, { state }: Call, ask: (token: string) => boolean): boolean {
  try {
    return ask(token) === true;
  } catch (error) {
    state.complaints.add(`auth.tokens threw ${error}`, "mend that function; the token counted as not valid");
    return false;
  }
}

function checkMediaType(call: Call): Answer | undefined {
  const value = call.exchange.headers.get("content-type") ?? "";
  if (value === "application/json" || /^application\/json[ \t]*(;[^,]*)?$/i.test(value)) return undefined;
  if (call.choices.mediaType === "any") {
    call.success = STATED;
    return undefined;
  }
  const found = value === "" ? "it is missing" : `it is ${value}`;
  return call.choices.refuse("mediaType", `Content-Type: must be application/json; ${found}`);
}

function checkSize({ body, choices: { maxBodyBytes, refuse } }: Call): Answer | undefined {
  if (byteLength(body, maxBodyBytes) <= maxBodyBytes) return undefined;
  return refuse("tooLarge", `body: must be at most ${maxBodyBytes} bytes`);
}

/** The length in bytes; of a text that fits anyway, a bound is enough. */
function byteLength(body: string | Uint8Array, limit: number): number {
  if (typeof body !== "string") return body.byteLength;
  return body.length * 3 <= limit ? body.length : new TextEncoder().encode(body).byteLength;
}

function createPlant(call: Call): Answer {
  const { exchange, state, choices } = call;
  const { text } = exchange;
  if (text === undefined) return choices.refuse("encoding", "body: must be UTF-8; its bytes are ill-formed");
  if (text.startsWith("\ufeff")) {
    return choices.refuse("encoding", "body: must not begin with a byte order mark; send the JSON text alone");
  }
  if (text === "") return choices.refuse("json", "body: is required; send a NewPlant as JSON");
  let value: unknown;
  try {
    value = decodeNewPlant(text);
  } catch {
    return choices.refuse("json", "body: must be JSON; its syntax is wrong");
  }
  const { plant, issues } = readNewPlant(value, call);
  if (plant === undefined) return choices.refuse("newPlant", issues);
  exchange.plant = plant;
  if (choices.duplicateIds === "reject" && state.plants.get(plant.id) !== undefined) {
    return choices.refuse("duplicateId", `/id: ${plant.id} exists; send an id that is not taken`);
  }
  state.plants.push(plant);
  return created(plant, call.success);
}

type Read = { plant: NewPlant; issues?: undefined } | { plant?: undefined; issues: string };

/** Validates the body; a refusal has a JSON pointer (RFC 6901) and the rule for each field. */
function readNewPlant(body: unknown, call: Call): Read {
  const result = validateNewPlant(body);
  const problems = result.issues?.map(({ path, message }) => `${pointer(path) || "body"}: ${message}`) ?? [];
  for (const name in body as object) {
    if (name === "id" || name === "name" || name === "tag" || Array.isArray(body)) continue;
    const { unknownFields } = call.choices;
    call.success = unknownFields === undefined ? { provenance: "assumed", assumption: "unknownFields" } : STATED;
    if (unknownFields !== "reject") break;
    problems.push(`${pointer([name])}: is no field of NewPlant; leave it out`);
  }
  return problems.length === 0 && !result.issues ? { plant: result.value } : { issues: problems.join("; ") };
}

function pointer(path: readonly string[]): string {
  return path.map((key) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** The declared reply: a Plant, without the id. */
function created({ name, tag }: NewPlant, { provenance, assumption }: Source): Answer {
  const body = JSON.stringify({ name, tag });
  return { how: "reply", status: 200, headers: JSON_HEADERS, body, provenance, assumption };
}
