import type { ValidNewPlant } from "../../../src/contract/plant.ts";
import { assumptions } from "../../service/assumptions.ts";
import { rowOf } from "../../service/faults/check-fault.ts";
import type { InjectedFault } from "../../service/faults/injected-faults.ts";
import type { RecordedRequest } from "../../service/mock-plant-store.ts";
import { beginning } from "../../service/request.ts";
import type { Service } from "../../service/service.ts";
import type { RequestRecord } from "../../service/sessions/request-record.ts";
import type { SessionState } from "../../service/sessions/session-state.ts";

/** How many requests the state contains at most: the newest. */
const LISTED_REQUESTS = 1_000;

/** What the console shows of a session. */
export function viewState(service: Service, baseUrl: string, { requests, faults, gates }: SessionState) {
  const held = new Set([...gates].flatMap((gate) => [...gate.held.keys()]));
  return {
    baseUrl,
    sessions: [...service.sessions].map(({ name }) => name),
    requests: requests
      .page(Math.max(0, requests.count - LISTED_REQUESTS), LISTED_REQUESTS)
      .reverse()
      .map((record) => ({ ...summarize(record), isHeld: held.has(record) })),
    faults: [...faults.injected].map(viewFault),
    gates: [...gates].map(({ name, arrivedCount, held }) => ({ name, arrived: arrivedCount, held: held.size })),
  };
}

/** An injected fault as JSON. Its `when` has the fields of the plant, or is "function" if a function of the test decides. */
function viewFault({ number, shown, times, used, probability, when }: InjectedFault) {
  return {
    number,
    fault: shown,
    times: times === Number.POSITIVE_INFINITY ? ("unlimited" as const) : times,
    used,
    probability,
    when: typeof when === "function" ? ("function" as const) : when,
  };
}

/** Headers as a person sees them: without secrets. The list of requests keeps those, for assertions. */
export function maskSecrets(headers: RecordedRequest["headers"]): RecordedRequest["headers"] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, SECRET.test(name) ? "***" : value]));
}

const SECRET = /^(cookie|proxy-authorization|x-api-key)$/;

/** A recorded request without its headers and bodies, as JSON for a list of many. */
function summarize(record: RequestRecord) {
  const { number, at, method, path, token, status, assumption, reason, loses, durationMs } = record;
  const plant = record.plant && shortenPlant(record.plant);
  const fault = record.fault && `${rowOf(record.fault).title} #${record.faultNumber}`;
  const shownReason = reason && beginning(reason, SHOWN_CHARACTERS);
  const outcome = { status, assumption, fault, reason: shownReason, loses, durationMs };
  return { number, at, method, path: beginning(path, SHOWN_CHARACTERS), token, plant, ...outcome };
}

/** A plant with the beginning of each long text. */
function shortenPlant(plant: ValidNewPlant): ValidNewPlant {
  const fields = Object.entries(plant).map(([name, value]) => {
    return [name, typeof value === "string" ? beginning(value, SHOWN_CHARACTERS) : value];
  });
  return Object.fromEntries(fields);
}

const SHOWN_CHARACTERS = 200;

/** Explains in plain text why a request got its response. */
export function whyOf({ provenance, assumption, fault, faultNumber, reason }: RequestRecord): string {
  if (fault !== undefined) {
    const { title, description } = rowOf(fault);
    return plain(`The injected fault ${fault.type} #${faultNumber} (${title}) affected this request: ${description}.`);
  }
  if (provenance === "declared") return "The contract declares this response.";
  const detail = reason === undefined ? "" : `${reason}. `;
  if (assumption !== undefined) {
    const { unspecified, behavior, options } = assumptions[assumption];
    const subject = unspecified.replace(/^./, (first) => first.toLowerCase());
    return plain(
      `${detail}The contract does not specify this: ${subject}. The mock's default: ${behavior}. Options that change it: ${options.join(", ")}.`,
    );
  }
  if (provenance === "assumed") return plain(`${detail}An option of the mock determines this response.`);
  return "There is no response yet.";
}

/** Markdown as plain text. */
function plain(text: string): string {
  return text.replaceAll("`", "");
}
