import { reasonOf } from "../../src/checks/schema.ts";
import { type ErrorBody, validateErrorBody } from "../../src/contract/error-body.ts";
import { CREATE_PLANT } from "../../src/contract/operations.ts";
import { type NewPlant, validatePlant } from "../../src/contract/plant.ts";
import type { Fetch } from "../service/mock-plant-store.ts";
import type { Probe } from "../service/probe.ts";

/** The service, or the mock that it is compared with. */
export interface Endpoint {
  readonly baseUrl: string;
  readonly token: string;
  readonly fetch: Fetch;
}

/** What a response shows. */
export interface Observation {
  readonly status: number;
  /** Whether the service accepted the request. */
  readonly isAccepted: boolean;
  /** Those of {@link HEADERS} that it has. */
  readonly headers: Readonly<Record<string, string>>;
  /** The beginning of the body. */
  readonly text: string;
  readonly error?: ErrorBody | undefined;
  readonly isPlant: boolean;
}

/** The headers that are compared: what clients act upon. */
const HEADERS = ["Content-Type", "WWW-Authenticate", "Allow", "Retry-After"];

const TIMEOUT_MS = 30_000;
const MAX_TEXT = 16_384;

/**
 * Sends the request of a probe. A redirect is not followed, so that the token reaches no other host.
 *
 * @returns A promise of the response, in which no token is left, or of the reason why there is none.
 */
export async function exchange(endpoint: Endpoint, probe: Probe, plant: NewPlant): Promise<Observation | string> {
  const { baseUrl, token, fetch } = endpoint;
  const { method, path = CREATE_PLANT.path, mediaType = CREATE_PLANT.headers["content-type"] } = probe;
  const headers: Record<string, string> = { Accept: CREATE_PLANT.headers.accept };
  const authorization = authorizationOf(probe, token);
  if (authorization !== undefined) headers.Authorization = authorization;
  const init: RequestInit = { method: method ?? CREATE_PLANT.method, headers, redirect: "manual" };
  if (method === undefined) {
    headers["Content-Type"] = mediaType;
    init.body = probe.body?.(plant) ?? JSON.stringify(plant);
  }
  try {
    const response = await fetch(baseUrl + path, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
    return observe(response, (text) => text.replaceAll(token, "[token]"), await readText(response));
  } catch (error) {
    return `no response${reasonOf((error as Error).cause ?? error)}`;
  }
}

function authorizationOf({ token: kind }: Probe, token: string): string | undefined {
  const invalid = "Bearer plant-store-mock-calibrate";
  if (kind === "none") return undefined;
  if (kind === "invalid") return invalid;
  return kind === "several" ? `Bearer ${token}, ${invalid}` : `Bearer ${token}`;
}

/** Reads the beginning of a body. */
async function readText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_TEXT) break;
  }
  return text.slice(0, MAX_TEXT);
}

function observe({ status, ok, headers }: Response, redact: (text: string) => string, whole: string): Observation {
  const text = redact(whole);
  const json = readJson(text);
  const error = validateErrorBody(json);
  return {
    status,
    isAccepted: ok,
    headers: Object.fromEntries(
      HEADERS.flatMap((name) => (headers.has(name) ? [[name, redact(headers.get(name) as string)]] : [])),
    ),
    text,
    error: error.issues ? undefined : { error: error.value.error, message: error.value.message },
    isPlant: validatePlant(json).issues === undefined,
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** E.g. `401, error 7, WWW-Authenticate`. */
export function describeObservation({ status, headers, error }: Observation): string {
  const { "Content-Type": type = "no media type", ...others } = headers;
  const body = error === undefined ? type.replace(/;.*/, "") : `error ${error.error}`;
  return [status, body, ...Object.keys(others)].join(", ");
}
