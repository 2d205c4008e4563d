import { byId } from "./dom.ts";

/** The id of a plant: a string if a number would round it. */
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
  readonly number: number;
  readonly isOver: boolean;
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
export interface Details extends Omit<Summary, "isOver"> {
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

/** `JSON.parse`, except that an integer that a number would round becomes a string. */
export function parse(text: string): unknown {
  const marked = text.replace(/"(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*/g, (token) =>
    /^-?\d{16,}$/.test(token) ? `"${token}"` : token,
  );
  return JSON.parse(marked);
}

/** An error response of the control API. */
export class ControlError extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** A control call for the session that the page shows. */
export async function send(method: string, path: string, options: RequestInit = {}): Promise<Response> {
  const headers: HeadersInit = controlToken === "" ? {} : { Authorization: `Bearer ${controlToken}` };
  const mark = path.includes("?") ? "&" : "?";
  const isOfSession = !/^\/(openapi\.json|gates\/)/.test(path);
  const query = isOfSession ? `${mark}session=${encodeURIComponent(session())}` : "";
  const response = await fetch(`/_mock${path}${query}`, { ...options, method, headers });
  byId("unlock").hidden = response.status !== 401;
  if (response.ok) return response;
  throw new ControlError((parse(await response.text()) as { message: string }).message, response.status);
}

/** A control call that sends and returns JSON. */
export async function call<Value>(method: string, path: string, body?: unknown): Promise<Value> {
  const response = await send(method, path, body === undefined ? {} : { body: JSON.stringify(body) });
  const text = await response.text();
  return (text === "" ? undefined : parse(text)) as Value;
}
