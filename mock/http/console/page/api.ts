import { replaceNumbers } from "../../../service/plant-json.ts";
import type { ResultOf } from "../../control/routes.ts";
import { byId } from "./dom.ts";

/** A value of the control API as {@link parse} returns it: an id that a number would round is a string. */
type Parsed<Value> = Value extends bigint
  ? string
  : Value extends object
    ? { readonly [Name in keyof Value]: Parsed<Value[Name]> }
    : Value;

/** What the page shows of a session. */
export type State = Parsed<ResultOf<"getState">>;

/** A request in the list. */
export type Summary = State["requests"][number];

/** A request with everything that the mock keeps of it. */
export type Details = Parsed<ResultOf<"getRequest">>;

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
  const quoted = replaceNumbers(text, (token) => (/^-?\d{16,}$/.test(token) ? `"${token}"` : token));
  return JSON.parse(quoted);
}

/**
 * Makes a control call for the session that the page shows.
 *
 * @returns The text of the response.
 * @throws Error with the message of an error response; its cause is the status, 0 if there was no whole response.
 */
export async function send(method: string, path: string, body?: string): Promise<string> {
  const headers: HeadersInit = controlToken === "" ? {} : { Authorization: `Bearer ${controlToken}` };
  // Relative, because a proxy may have put a prefix in front.
  const url = `.${path}?session=${encodeURIComponent(session())}`;
  const { status, text } = await request(url, { method, headers, ...(body !== undefined && { body }) });
  byId("unlock").hidden = status !== 401;
  if (status < 400) return text;
  throw new Error((parse(text) as { message: string }).message, { cause: status });
}

async function request(url: string, init: RequestInit) {
  try {
    const response = await fetch(url, init);
    return { status: response.status, text: await response.text() };
  } catch {
    throw new Error("The mock does not respond.", { cause: 0 });
  }
}
