import { CREATE_PLANT } from "../../../../src/contract/operations.ts";
import { call, type Fault, session } from "./api.ts";
import { attempt, byId } from "./dom.ts";
import { deliveryOf, RESENT_NOTE } from "./status.ts";

const value = (id: string) => byId<HTMLInputElement>(id).value;

let filledIn = "";

/** Removes the token and the response before the page shows another session. */
export function forgetExchange(): void {
  filledIn = "";
  byId<HTMLInputElement>("token").value = "";
  byId("answer").textContent = "";
}

/** Fills in the token of the session that the page shows, unless someone has typed another one. */
export function showToken(): void {
  const input = byId<HTMLInputElement>("token");
  const shown = session();
  attempt(async () => {
    const { token } = await call<{ token: string }>("GET", "/token");
    if (shown !== session() || input.value !== filledIn) return;
    filledIn = token;
    input.value = token;
  });
}

/** Sends the plant in the form to the service, with the browser's own `fetch`. */
export async function sendPlant(basePath: string, queued: readonly { readonly fault: Fault }[]): Promise<void> {
  const answer = byId("answer");
  const shown = session();
  const { method, path, headers: fixed } = CREATE_PLANT;
  const headers: Record<string, string> = { ...fixed };
  if (value("token") !== "") headers.Authorization = `Bearer ${value("token")}`;
  answer.textContent = "…";
  const isResent = queued.some(({ fault }) => deliveryOf(fault) === "end");
  let text = "The connection failed before the response was complete.";
  try {
    const response = await fetch(`${basePath}${path}`, { method, headers, body: plantBody() });
    text = `${response.status} ${await response.text()}`;
  } catch {
    // `text` already says that the connection failed.
  }
  if (shown === session()) answer.textContent = isResent ? `${text}\n\n${RESENT_NOTE}` : text;
}

/** The request body, with the id exactly as typed; an id that is not a number is sent as a string. */
function plantBody(): string {
  const id = value("plant-id").trim();
  const isNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(id);
  const fields = [`"id":${isNumber ? id : JSON.stringify(id)}`, `"name":${JSON.stringify(value("plant-name"))}`];
  if (value("plant-tag") !== "") fields.push(`"tag":${JSON.stringify(value("plant-tag"))}`);
  return `{${fields.join()}}`;
}
