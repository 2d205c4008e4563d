import type { AnyPlantStoreError } from "plant-store-client";

/** What a person is told of a plant that was not created for certain. */
export interface Advice {
  readonly title: string;
  readonly text: string;
  /** Whether to offer a button that sends it again. */
  readonly sendAgain: "now" | "after a look" | "never";
}

/** The whole error handling of this application. */
export function advise(error: AnyPlantStoreError): Advice {
  // First of all: may the plant exist? Then a second POST may create it twice, whatever the kind of error.
  if (error.outcome === "unknown") {
    return {
      title: "The plant may exist.",
      text: `${whatHappened(error)} Look before you send it again.`,
      sendAgain: "after a look",
    };
  }
  const title = "The plant was not created.";
  switch (error.kind) {
    case "api":
    case "response":
      return { title, ...refusal(error) };
    case "token":
      return { title, text: "You are logged out, so nothing was sent. Log in, then send it again.", sendAgain: "now" };
    case "connection":
    case "timeout":
    case "aborted":
      return { title, text: "The service has not processed it. You can safely send it again.", sendAgain: "now" };
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
  if (error.status === 401) return { text: "The service did not accept your log-in.", sendAgain: "now" };
  return { text: `The service said no: ${error.message}. Change the plant, then try again.`, sendAgain: "never" };
}

function whatHappened(error: AnyPlantStoreError): string {
  switch (error.kind) {
    case "timeout":
      return `No reply came within ${error.timeoutMs / 1000} seconds.`;
    case "aborted":
      return "You cancelled after it was sent.";
    case "connection":
      return "The connection broke before the whole reply was here.";
    case "response":
      return "What came back is no answer of the service.";
    default:
      return "The service failed in the middle of it.";
  }
}

/** A kind without a case above is an error of the compiler here. */
function impossible(error: never): never {
  throw new Error(`unexpected error: ${String(error)}`);
}
