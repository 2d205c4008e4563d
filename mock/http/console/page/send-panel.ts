import { CREATE_PLANT } from "../../../../src/contract/operations.ts";
import { call, session } from "./api.ts";
import { attempt, byId } from "./dom.ts";
import { createInputs, fieldsAsJson, isRequiredField } from "./plants.ts";
import { curlOf } from "./text.ts";

byId("plant-fields").replaceChildren(...createInputs("plant"));

const { method, path, headers: fixed } = CREATE_PLANT;
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
    input.dispatchEvent(new Event("input", { bubbles: true })); // As if typed: the curl line has it too.
  });
}

/** Sends the plant in the form to the service, with the browser's own `fetch`. */
export async function sendPlant(baseUrl: string): Promise<void> {
  const answer = byId("answer");
  const shown = session();
  const url = `${new URL(baseUrl).pathname.replace(/\/$/, "")}${path}`;
  answer.textContent = "…";
  let text = "The connection failed before the response was complete.";
  try {
    const response = await fetch(url, { method, headers: requestHeaders(), body: requestBody() });
    text = `${response.status} ${await response.text()}`;
  } catch {
    // `text` already says that the connection failed.
  }
  if (shown === session()) answer.textContent = text;
}

/** A curl command that sends the plant in the form. */
export function curlExample(baseUrl: string): string {
  return curlOf({ method, path, headers: requestHeaders(), bodyText: requestBody() }, baseUrl);
}

function requestHeaders(): Record<string, string> {
  const token = byId<HTMLInputElement>("token").value;
  return { ...fixed, ...(token !== "" && { Authorization: `Bearer ${token}` }) };
}

function requestBody(): string {
  return fieldsAsJson("plant", isRequiredField);
}
