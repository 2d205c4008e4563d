import type { AnyPlantStoreError } from "plant-store-client";

/** What to tell a person if it is not certain that the plant was created. */
export interface Advice {
  readonly title: string;
  readonly text: string;
  /** When it is safe to send it again, and what must come first. */
  readonly sendAgain: "now" | "after logging in" | "after a look" | "never";
}

/** The whole error handling of this application. */
export function advise(error: AnyPlantStoreError): Advice {
  // Checked first: if the plant may exist, a second POST may create it twice, with any kind of error.
  if (error.outcome === "unknown" || error.kind === "interrupted") {
    return {
      title: "The plant may exist.",
      text: `${whatHappened(error)} Check before you send it again.`,
      sendAgain: "after a look",
    };
  }
  const title = "The plant was not created.";
  switch (error.kind) {
    case "api":
    case "response":
      return { title, ...refusal(error) };
    case "token":
      return { title, text: "Your session has expired.", sendAgain: "after logging in" };
    case "connection":
    case "timeout":
    case "aborted":
      return { title, text: "The service did not process it. You can safely send it again.", sendAgain: "now" };
    case "input":
    case "config":
      return { title, text: `Nothing was sent: ${error.message}`, sendAgain: "never" };
    default:
      return impossible(error);
  }
}

type Refusal = Extract<AnyPlantStoreError, { kind: "api" | "response" }>;

function refusal(error: Refusal): Omit<Advice, "title"> {
  if (error.retryAfterMs !== undefined) {
    const seconds = Math.ceil(error.retryAfterMs / 1000);
    return { text: `The service is busy. You can safely send it again in ${seconds} seconds.`, sendAgain: "now" };
  }
  const { status } = error;
  if (status === 401) return { text: "The service did not accept your token.", sendAgain: "after logging in" };
  // A page of another origin reads Retry-After only if the service exposes it.
  if (status === 429) return { text: "The service is busy. You can safely send it again later.", sendAgain: "now" };
  const reason = error.kind === "api" ? error.body.message : `status ${status}`;
  const isPlant = [400, 409, 413, 422].includes(status);
  const change = isPlant ? " Change the plant, then try again." : "";
  return { text: `The service rejected it: ${reason}.${change}`, sendAgain: "never" };
}

function whatHappened(error: AnyPlantStoreError): string {
  switch (error.kind) {
    case "timeout":
      return `No response arrived within ${error.timeoutMs / 1000} seconds.`;
    case "aborted":
      return "You canceled after it had been sent.";
    case "connection":
      return "The connection failed before the whole response had arrived.";
    case "response":
      return "An unexpected response arrived.";
    default:
      return "The service failed while it processed the request.";
  }
}

/** A kind without a case above is a compiler error here. */
function impossible(error: never): never {
  throw new Error(`unexpected error: ${String(error)}`);
}
