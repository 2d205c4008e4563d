import { byId } from "./dom.ts";

/** The id of a plant: a string if a JavaScript number cannot represent it exactly. */
export type Id = number | string;

export interface Plant {
  readonly id: Id;
  readonly name: string;
  readonly tag?: string;
}

export interface Fault {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** A request in the list. */
export interface Summary {
  /** The session that it belongs to. */
  readonly session: string;
  /** Counted from 1 in its session. */
  readonly number: number;
  /** The position among the requests of all sessions. */
  readonly sequence: number;
  readonly isOver: boolean;
  /** When it arrived, in milliseconds since the Unix epoch. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly token?: string;
  readonly plant?: Plant;
  readonly fault?: Fault;
  readonly status?: number;
  readonly provenance?: string;
  readonly assumption?: string;
  readonly durationMs?: number;
}

/** A request with everything that the journal keeps. */
export interface Details extends Omit<Summary, "isOver" | "session"> {
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyText: string;
  readonly reply?: { readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown };
  readonly isDropped?: boolean;
  readonly why: string;
}

let controlToken = "";

export function setControlToken(token: string): void {
  controlToken = token;
}

/** The session that the page shows. */
export function session(): string {
  return byId<HTMLSelectElement>("session").value;
}

/** `JSON.parse`, except that an integer of 16 digits or more becomes a string, so that it is not rounded. */
export function parse(text: string): unknown {
  const quoted = text.replace(/"(?:[^"\\]+|\\.)*"?|-?\d[\d.eE+-]*/g, (token) =>
    /^-?\d{16,}$/.test(token) ? `"${token}"` : token,
  );
  return JSON.parse(quoted);
}

/** An error response of the control API. */
export class ControlError extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/**
 * Makes a control call, by default for the session that the page shows.
 *
 * @throws {@link ControlError} with the message of an error response.
 */
export async function send(
  method: string,
  path: string,
  options: RequestInit = {},
  ofSession = session(),
): Promise<Response> {
  const headers: HeadersInit = controlToken === "" ? {} : { Authorization: `Bearer ${controlToken}` };
  const separator = path.includes("?") ? "&" : "?";
  const hasSession = !/^\/(openapi\.json|gates\/)/.test(path);
  const query = hasSession ? `${separator}session=${encodeURIComponent(ofSession)}` : "";
  const response = await fetch(`/_mock${path}${query}`, { ...options, method, headers });
  byId("unlock").hidden = response.status !== 401;
  if (response.ok) return response;
  throw new ControlError((parse(await response.text()) as { message: string }).message, response.status);
}

/** Makes a control call without a body, and decodes the response; `undefined` if that has no body. */
export async function call<Value>(method: string, path: string, ofSession?: string): Promise<Value> {
  const response = await send(method, path, {}, ofSession);
  const text = await response.text();
  return (text === "" ? undefined : parse(text)) as Value;
}
