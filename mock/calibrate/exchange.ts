import { parseRetryAfter } from "../../src/checks/http/retry-after.ts";
import { createRedact } from "../../src/checks/redaction/redact-text.ts";
import { validateErrorBody } from "../../src/contract/error-body.ts";
import { CREATE_PLANT } from "../../src/contract/operations.ts";
import { type NewPlant, PLANT_NAMES, validatePlant } from "../../src/contract/plant.ts";
import { oneLine } from "../cli/read-text-file.ts";
import type { Probe } from "../service/probe.ts";
import type { RawReply } from "./send-once.ts";

/** The service, or the mock that it is compared with. */
export interface Endpoint {
  readonly baseUrl: string;
  readonly token: string;
  readonly send: (url: string, init: RequestInit) => Promise<RawReply>;
}

/** What a response shows, as far as it is the same in every run. No text of the service is in it, and no token. */
export interface Observation {
  readonly status: number;
  /** Whether the service accepted the request. */
  readonly isAccepted: boolean;
  /** Those of {@link HEADERS} that it has. */
  readonly headers: Readonly<Record<string, string>>;
  /** The `error` value of the contract's Error, if the body is one. */
  readonly error: number | undefined;
  /** How the body of an accepted response differs from the plant that was sent. */
  readonly oddities: readonly string[];
  /** How long the service wants a client to wait before the next request. */
  readonly retryAfterMs: number | undefined;
}

/** The headers that are compared, because clients act upon them, and the part of each that does not change by itself. */
const HEADERS: Readonly<Record<string, RegExp>> = {
  "Content-Type": /^[\w.+-]+\/[\w.+-]+/,
  "WWW-Authenticate": /^[\w-]+/,
  Allow: /^[A-Z, ]+/,
};

const TIMEOUT_MS = 30_000;
const MAX_BODY_LENGTH = 2 ** 20;

/** Sends the request of a probe; resolves with what the response shows, or with the reason why there is none. */
export async function exchange(endpoint: Endpoint, probe: Probe, plant: NewPlant): Promise<Observation | string> {
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
  const redact = redactionOf(token);
  try {
    const reply = await send(baseUrl + path, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
    return observe(reply, await readText(reply), plant, redact);
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return `no response: ${oneLine(redact(message || `${code}`))}`;
  }
}

function authorizationOf({ token: kind }: Probe, token: string): string | undefined {
  const invalid = "Bearer plant-store-mock-calibrate";
  if (kind === "none") return undefined;
  if (kind === "invalid") return invalid;
  return kind === "several" ? `Bearer ${token}, ${invalid}` : `Bearer ${token}`;
}

/** Removes the token as the client does, and a short one everywhere, too. */
function redactionOf(token: string): (text: string) => string {
  const redact = createRedact([token]);
  return (text) => redact(text).replaceAll(token, "[redacted]");
}

/** Reads the beginning of a body. */
async function readText({ body }: RawReply): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_BODY_LENGTH) break;
  }
  return text;
}

function observe(reply: RawReply, text: string, plant: NewPlant, redact: (text: string) => string): Observation {
  const { status, headers } = reply;
  const isAccepted = status >= 200 && status <= 299;
  const body = readJson(text);
  const error = validateErrorBody(body);
  const compared = Object.entries(HEADERS).flatMap(([name, stable]) => {
    const [value] = stable.exec(headers.get(name) ?? "") ?? [];
    return value === undefined ? [] : [[name, redact(value)]];
  });
  const retryAfter = headers.get("Retry-After");
  return {
    status,
    isAccepted,
    headers: Object.fromEntries(compared),
    error: error.issues ? undefined : error.value.error,
    oddities: isAccepted ? odditiesOf(text, body, plant).map(redact) : [],
    retryAfterMs: parseRetryAfter(retryAfter, headers.get("Date"), { date: Date.now }),
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How a body differs from the plant that was sent, in the words of the client. */
function odditiesOf(text: string, body: unknown, plant: NewPlant): string[] {
  if (body === undefined) return [text === "" ? "no body" : "a body that is not JSON"];
  const oddities: string[] = [];
  const returned = Object(body) as Record<string, unknown>;
  const nulls = PLANT_NAMES.filter((name) => returned[name] === null && plant[name] === undefined);
  for (const name of nulls) oddities.push(`null for an absent ${name} (the client reads it as absent)`);
  const issues = (validatePlant(body).issues ?? []).filter(({ path: [name] }) => !(nulls as unknown[]).includes(name));
  for (const { path, message } of issues) oddities.push([...path, message].join(" "));
  if (issues.length > 0) return oddities;
  for (const name of PLANT_NAMES) {
    if (returned[name] !== plant[name] && !nulls.includes(name)) oddities.push(`another ${name} than the one sent`);
  }
  const others = Object.keys(returned).filter((name) => !(PLANT_NAMES as readonly string[]).includes(name));
  // Another name may be a text that differs in each run.
  const names = others.map((name) => (/^[A-Za-z_]{1,40}$/.test(name) ? name : "?"));
  if (names.length > 0) oddities.push(`more fields: ${names.sort().join(" ")}`);
  return oddities;
}

/** What is compared of an observation, e.g. `401, error 7, WWW-Authenticate`. */
export function describeObservation({ status, headers, error, oddities }: Observation): string {
  const { "Content-Type": type = "no media type", ...others } = headers;
  return [status, error === undefined ? type : `error ${error}`, ...Object.keys(others), ...oddities].join(", ");
}
