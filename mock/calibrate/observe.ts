import { parseRetryAfter } from "../../src/checks/http/retry-after.ts";
import { createRedact } from "../../src/checks/redaction/redact-text.ts";
import { validateErrorBody } from "../../src/contract/error-body.ts";
import { CREATE_PLANT } from "../../src/contract/operations.ts";
import { type NewPlant, PLANT_NAMES, validatePlant } from "../../src/contract/plant.ts";
import { oneLine } from "../cli/read-text-file.ts";
import { PLANT_NAME, type Probe } from "./probes.ts";

/** The service, or the mock that it is compared with. */
export interface Endpoint {
  readonly baseUrl: string;
  readonly token: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/** What a response shows, as far as it is the same in every run. No text of the service is in it, and no token. */
export interface Observation {
  readonly status: number;
  /** Whether the service accepted the request: it returned the plant that was sent. */
  readonly isAccepted: boolean;
  /** Those of {@link HEADERS} that it has. */
  readonly headers: Readonly<Record<string, string>>;
  /** The `error` value of the contract's Error, if the body is one, and the token does not contain the value. */
  readonly error: number | undefined;
  /** How the body of a 2xx differs from the plant that was sent. */
  readonly oddities: readonly string[];
  /** Where a redirect leads. */
  readonly location: string | undefined;
  /** How long the service wants a client to wait before the next request. */
  readonly retryAfterMs: number | undefined;
  /** Why there is no response of the service; everything else is then empty. */
  readonly missing?: string;
}

/** The headers that are compared, because clients act upon them: the part of each that does not change by itself. */
const HEADERS: Readonly<Record<string, (value: string) => string | undefined>> = {
  "Content-Type": (value) => /^[\w.+-]+\/[\w.+-]+/.exec(value)?.[0].toLowerCase(),
  "WWW-Authenticate": (value) => /^[\w-]+/.exec(value)?.[0].replace(/^bearer$/i, "Bearer"),
  Allow: (value) => [...new Set(value.match(/[A-Z]+/g))].sort().join(", ") || undefined,
};

const TIMEOUT_MS = 30_000;
const MAX_BODY_LENGTH = 2 ** 20;

/**
 * Sends the request of a probe; resolves with what the response shows. A redirect is not followed, so that the token
 * reaches no other host. After a 421, Node's `fetch` repeats the request, which is not counted.
 */
export async function observe(endpoint: Endpoint, probe: Probe, plant: NewPlant): Promise<Observation> {
  const { baseUrl, token, fetch } = endpoint;
  const { method, path = CREATE_PLANT.path, mediaType = CREATE_PLANT.headers["content-type"] } = probe;
  const authorization = (probe.authorization ?? bearer)(token);
  const headers: Record<string, string> = {
    Accept: CREATE_PLANT.headers.accept,
    "Accept-Encoding": "identity",
    "User-Agent": "plant-store-mock",
    // A kept connection may be closed by the service just when the next request is sent.
    Connection: "close",
    ...(authorization !== undefined && { Authorization: authorization }),
  };
  const init: RequestInit = { method: method ?? CREATE_PLANT.method, headers, redirect: "manual" };
  if (method === undefined) {
    headers["Content-Type"] = mediaType;
    init.body = probe.body?.(plant) ?? JSON.stringify(plant);
  }
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const keep = keepWithout(token);
  try {
    const response = await fetch(baseUrl + path, { ...init, signal });
    return observationOf(response, await readText(response), plant, keep);
  } catch (error) {
    if (signal.aborted) return missing(`no response within ${TIMEOUT_MS / 1000} s`);
    const { message, code } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
    return missing(`no response: ${oneLine(keep(message || `${code}`) ?? `${code}`)}`);
  }
}

const bearer = (token: string) => `Bearer ${token}`;

/** The observation of no response. */
export function missing(reason: string): Observation {
  const nothing = { error: undefined, location: undefined, retryAfterMs: undefined };
  return { status: 0, isAccepted: false, headers: {}, oddities: [], ...nothing, missing: reason };
}

/** Words that a service may use although the token contains them. */
const WORDS =
  "application/json application/problem+json application/octet-stream application/xml text/html text/plain bearer basic " +
  `digest negotiate get, head, options, patch, post, put, delete id name tag error message ${PLANT_NAME}`;

/** A text without the token; undefined if seven characters of it in a row are left, except words. */
type Keep = (text: string) => string | undefined;

function keepWithout(token: string): Keep {
  const [redact, secret, length] = [createRedact([token]), token.toLowerCase(), Math.min(7, token.length)];
  return (text) => {
    const kept = redact(text);
    const lower = kept.toLowerCase();
    for (let start = 0; start + length <= lower.length; start++) {
      const part = lower.slice(start, start + length);
      if (secret.includes(part) && !WORDS.includes(part)) return undefined;
    }
    return kept;
  };
}

/** Reads the beginning of a body. */
async function readText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_BODY_LENGTH) break;
  }
  return text;
}

function observationOf({ status, headers }: Response, text: string, plant: NewPlant, keep: Keep): Observation {
  const body = readJson(text);
  const error = validateErrorBody(body);
  const code = error.issues ? undefined : error.value.error;
  const compared = Object.entries(HEADERS).flatMap(([name, stable]) => {
    // Before it is cut, because a part of the token is not recognized.
    const value = stable(keep(headers.get(name) ?? "")?.trim() ?? "");
    return value === undefined ? [] : [[name, value]];
  });
  const isSuccess = status >= 200 && status <= 299;
  const returned = validatePlant(body);
  return {
    status,
    // A service may write names in capitals.
    isAccepted: isSuccess && !returned.issues && returned.value.name.toLowerCase() === plant.name.toLowerCase(),
    headers: Object.fromEntries(compared),
    error: keep(`${code}`) ? code : undefined,
    oddities: isSuccess ? odditiesOf(body, plant, keep) : [],
    location: keep(headers.get("Location") ?? ""),
    retryAfterMs: parseRetryAfter(headers.get("Retry-After"), headers.get("Date"), { date: Date.now }),
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How a body differs from the plant that was sent, in words of our own. */
function odditiesOf(body: unknown, plant: NewPlant, keep: Keep): string[] {
  if (body === undefined) return ["no JSON"];
  const { issues } = validatePlant(body);
  // Not the message: the value is in it.
  if (issues)
    return issues.map(({ path, rule }) => `${path[0] ?? "body"} ${rule === "required" ? "missing" : "invalid"}`);
  const returned = body as Record<string, unknown>;
  const oddities: string[] = [];
  for (const name of PLANT_NAMES) {
    if (returned[name] === null && plant[name] === undefined) {
      oddities.push(`null for an absent ${name} (the client reads it as absent)`);
    } else if (returned[name] !== plant[name]) oddities.push(`another ${name} than the one sent`);
  }
  const others = Object.keys(returned).filter((name) => !(PLANT_NAMES as readonly string[]).includes(name));
  // Another name may be a text that differs in each run.
  const names = others.map((name) => (/^[A-Za-z_]{1,40}$/.test(name) ? (keep(name) ?? "?") : "?"));
  if (names.length > 0) oddities.push(`more fields: ${[...new Set(names)].sort().join(" ")}`);
  return oddities;
}

/** What is compared of an observation, e.g. `401, error 7, WWW-Authenticate`. */
export function describeObservation({ status, headers, error, oddities, missing }: Observation): string {
  if (missing !== undefined) return missing;
  const { "Content-Type": type = "no media type", ...others } = headers;
  return [status, error === undefined ? type : `error ${error}`, ...Object.keys(others), ...oddities].join(", ");
}
