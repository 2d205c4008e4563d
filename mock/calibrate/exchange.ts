import { parseRetryAfter } from "../../src/checks/http/retry-after.ts";
import { createRedact } from "../../src/checks/redaction/redact-text.ts";
import { validateErrorBody } from "../../src/contract/error-body.ts";
import { CREATE_PLANT } from "../../src/contract/operations.ts";
import { type NewPlant, PLANT_NAMES, validatePlant } from "../../src/contract/plant.ts";
import { oneLine } from "../cli/read-text-file.ts";
import { PLANT_NAME, type Probe } from "../service/probe.ts";
import { type RawReply, readText } from "./send-once.ts";

/** The service, or the mock that it is compared with. */
export interface Endpoint {
  readonly baseUrl: string;
  readonly token: string;
  readonly send: (url: string, init: RequestInit) => Promise<RawReply>;
}

/** An `error` value that is another one in each response, or that may not be shown. */
export const UNSTABLE = "unstable";

/** What a response shows, as far as it is the same in every run. No text of the service is in it, and no token. */
export interface Observation {
  readonly status: number;
  /** Whether the service accepted the request. */
  readonly isAccepted: boolean;
  /** Those of {@link HEADERS} that it has. */
  readonly headers: Readonly<Record<string, string>>;
  /** The `error` value of the contract's Error, if the body is one. */
  readonly error: number | typeof UNSTABLE | undefined;
  /** How the body of an accepted response differs from the plant that was sent. */
  readonly oddities: readonly string[];
  /** How long the service wants a client to wait before the next request. */
  readonly retryAfterMs: number | undefined;
  /** Why there is no response of the service; everything else is then empty. */
  readonly missing?: string;
}

/** The headers that are compared, because clients act upon them: the part of each that does not change by itself. */
const HEADERS: Readonly<Record<string, (value: string) => string | undefined>> = {
  "Content-Type": (value) => /^[\w.+-]+\/[\w.+-]+/.exec(value)?.[0].toLowerCase(),
  "WWW-Authenticate": (value) =>
    /^[\w-]+/
      .exec(value)?.[0]
      .toLowerCase()
      .replace(/^./, (letter) => letter.toUpperCase()),
  Allow: (value) => [...new Set(value.match(/[A-Z]+/g))].sort().join(", ") || undefined,
};

const TIMEOUT_MS = 30_000;

/** Sends the request of a probe; resolves with what the response shows. */
export async function exchange(endpoint: Endpoint, probe: Probe, plant: NewPlant): Promise<Observation> {
  const { baseUrl, token, send } = endpoint;
  const { method, path = CREATE_PLANT.path, mediaType = CREATE_PLANT.headers["content-type"] } = probe;
  const headers: Record<string, string> = { Accept: CREATE_PLANT.headers.accept, "User-Agent": "plant-store-mock" };
  const authorization = authorizationOf(probe, token);
  if (authorization !== undefined) headers.Authorization = authorization;
  const init: RequestInit = { method: method ?? CREATE_PLANT.method, headers };
  if (method === undefined) {
    headers["Content-Type"] = mediaType;
    init.body = probe.body?.(plant) ?? JSON.stringify(plant);
  }
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const reply = await send(baseUrl + path, { ...init, signal });
    return observe(reply, await readText(reply), plant, token);
  } catch (error) {
    if (signal.aborted) return missing(`no response within ${TIMEOUT_MS / 1000} s`);
    const { message, code } = error as NodeJS.ErrnoException;
    return missing(`no response: ${harmless(oneLine(createRedact([token])(message || `${code}`)), token) ?? code}`);
  }
}

/** The observation of no response. */
export function missing(reason: string): Observation {
  const nothing = {
    status: 0,
    isAccepted: false,
    headers: {},
    error: undefined,
    oddities: [],
    retryAfterMs: undefined,
  };
  return { ...nothing, missing: reason };
}

function authorizationOf({ token: kind }: Probe, token: string): string | undefined {
  const invalid = "Bearer plant-store-mock-calibrate";
  if (kind === "none") return undefined;
  if (kind === "invalid") return invalid;
  return kind === "several" ? `Bearer ${token}, ${invalid}` : `Bearer ${token}`;
}

/** Words that a service may use although the token contains them. */
const WORDS =
  "application/json application/problem+json application/octet-stream application/xml text/html text/plain bearer basic " +
  `digest negotiate get, head, options, patch, post, put, delete id name tag error message ${PLANT_NAME}`;

/** A text that may be kept: no part of the token is in it, except words. */
function harmless(text: string, token: string): string | undefined {
  const [kept, secret, length] = [text.toLowerCase(), token.toLowerCase(), Math.min(8, token.length)];
  for (let start = 0; start + length <= kept.length; start++) {
    const part = kept.slice(start, start + length);
    if (secret.includes(part) && !WORDS.includes(part)) return undefined;
  }
  return text;
}

function observe({ status, headers }: RawReply, text: string, plant: NewPlant, token: string): Observation {
  const isAccepted = status >= 200 && status <= 299;
  const redact = createRedact([token]);
  const keep = (part: string | undefined) => (part === undefined ? undefined : harmless(part, token));
  const body = readJson(text);
  const error = validateErrorBody(body);
  const code = error.issues ? undefined : error.value.error;
  const compared = Object.entries(HEADERS).flatMap(([name, stable]) => {
    // Redacted whole: a part of the token is not recognized.
    const value = keep(stable(redact(headers.get(name) ?? "").trim()));
    return value === undefined ? [] : [[name, value]];
  });
  return {
    status,
    isAccepted,
    headers: Object.fromEntries(compared),
    error: code === undefined || keep(`${code}`) ? code : UNSTABLE,
    oddities: isAccepted ? odditiesOf(text, body, plant, (name) => keep(redact(name))) : [],
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
function odditiesOf(
  text: string,
  body: unknown,
  plant: NewPlant,
  keep: (name: string) => string | undefined,
): string[] {
  if (body === undefined) return [text.trim() === "" ? "no body" : "a body that is not JSON"];
  const oddities: string[] = [];
  const returned = Object(body) as Record<string, unknown>;
  const nulls = PLANT_NAMES.filter((name) => returned[name] === null && plant[name] === undefined);
  for (const name of nulls) oddities.push(`null for an absent ${name} (the client reads it as absent)`);
  const issues = (validatePlant(body).issues ?? []).filter(({ path: [name] }) => !(nulls as unknown[]).includes(name));
  // Not the message: the value is in it.
  for (const { path, rule } of issues) {
    oddities.push(`${path[0] ?? "the body"} is ${rule === "required" ? "missing" : "invalid"}`);
  }
  if (issues.length > 0) return oddities;
  for (const name of PLANT_NAMES) {
    if (returned[name] !== plant[name] && !nulls.includes(name)) oddities.push(`another ${name} than the one sent`);
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
