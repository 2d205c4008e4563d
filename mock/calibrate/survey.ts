import { CREATE_PLANT } from "../../src/contract/operations.ts";
import type { NewPlant } from "../../src/contract/plant.ts";
import { assumptions } from "../service/assumptions.ts";
import { PLANT_NAME, type Probe } from "../service/probe.ts";
import { describeObservation, type Endpoint, exchange, type Observation } from "./exchange.ts";

export const MAX_REQUESTS = 40;
export const MAX_PLANTS = 16;
const MAX_WAIT_SECONDS = 60;
/** After so many requests in a row without a response the service counts as down. */
const MAX_SILENCE = 3;
/** Statuses that say nothing about the request. */
const OF_GATEWAYS: ReadonlySet<number> = new Set([408, 502, 503, 504]);

/** All requests, by the names of what they find out. The first one asks whether this is a plant store. */
export const probes: Readonly<Record<string, Probe>> = {
  created: { sends: "a valid plant" },
  createdWithTag: { sends: "a valid plant with a tag", fields: { tag: "calibrate" } },
  ...Object.fromEntries(
    Object.entries(assumptions).flatMap(([name, { probe, variants = {} }]) =>
      "none" in probe ? [] : [[name, probe], ...Object.entries(variants)],
    ),
  ),
};

/** What the service did with the request of one probe. */
export interface Finding {
  readonly name: string;
  readonly probe: Probe;
  readonly plant: NewPlant;
  readonly reply: Observation;
  /** The response to a valid plant: what is odd about every plant is a difference of that alone, where this is absent. */
  readonly created: Observation | undefined;
}

/** What the service did. */
export interface Survey {
  readonly requests: number;
  readonly plants: number;
  readonly findings: readonly Finding[];
  /** What it could not find out, and why. */
  readonly open: ReadonlyMap<string, string>;
}

/** Waits for some milliseconds. */
export type Wait = (ms: number) => Promise<unknown>;

/**
 * Asks the service what the contract leaves open.
 *
 * @throws Error if nothing can be found out: the service does not respond, is not a plant store, or rejects the token.
 */
export async function survey(service: Endpoint, wait: Wait): Promise<Survey> {
  // Ids that no earlier run has used, with room for those of this one.
  let id = Math.floor(Math.random() * (Number.MAX_SAFE_INTEGER - MAX_REQUESTS));
  const questions = new Questions(service, wait);
  const findings: Finding[] = [];
  const open = new Map<string, string>();
  for (const [name, probe] of Object.entries(probes)) {
    const [first] = findings;
    const plant = probe.isDuplicate && first ? first.plant : { id: id++, name: PLANT_NAME, ...probe.fields };
    const reply = await questions.ask(probe, plant);
    const problem = first === undefined ? problemOf(reply) : undefined;
    if (problem !== undefined)
      throw new Error(`${CREATE_PLANT.method} ${service.baseUrl}${CREATE_PLANT.path}: ${problem}`);
    if (typeof reply === "string") open.set(name, reply);
    else findings.push({ name, probe, plant, reply, created: first?.reply });
    if (findings[0]?.reply.isAccepted === false) questions.stop("not asked: the service rejects a valid plant");
  }
  return { requests: questions.requests, plants: questions.plants, findings, open };
}

/** Why nothing can be found out after this response to a valid plant. */
function problemOf(created: Observation | string): string | undefined {
  if (typeof created === "string") return created;
  const { status, isAccepted, headers } = created;
  const returned = `returned ${describeObservation({ ...created, oddities: [] })}`;
  if (status === 401 || status === 403) return `${returned}: the service does not accept the token`;
  if (status === 404 || status === 405 || headers["Content-Type"] === "text/html") {
    return `${returned} to a valid plant: this is not a plant store, or the URL lacks its base path`;
  }
  const isRejected = status >= 400 && status <= 499;
  return isAccepted || isRejected ? undefined : `${returned} to a valid plant`;
}

/** Sends requests until a limit is reached. */
class Questions {
  requests = 0;
  /** How many plants may exist now. */
  plants = 0;
  readonly #service: Endpoint;
  readonly #wait: Wait;
  #silence = 0;
  #stopped: string | undefined;

  constructor(service: Endpoint, wait: Wait) {
    this.#service = service;
    this.#wait = wait;
  }

  /** Sends a request, again if the service asks for it; resolves with the reason if that is not possible. */
  async ask(probe: Probe, plant: NewPlant): Promise<Observation | string> {
    for (;;) {
      if (this.requests === MAX_REQUESTS) this.stop(`not asked, after ${MAX_REQUESTS} requests`);
      if (this.plants === MAX_PLANTS) this.stop(`not asked, after ${MAX_PLANTS} plants`);
      if (this.#stopped !== undefined) return this.#stopped;
      this.requests++;
      const reply = await exchange(this.#service, probe, plant);
      this.#silence = typeof reply === "string" ? this.#silence + 1 : 0;
      if (this.#silence === MAX_SILENCE) this.stop(`not asked: no response to ${MAX_SILENCE} requests in a row`);
      const waitSeconds = typeof reply === "string" ? undefined : secondsToWait(reply);
      if (waitSeconds === undefined) {
        if (probe.method === undefined && mayExist(reply)) this.plants++;
        return typeof reply !== "string" && OF_GATEWAYS.has(reply.status) ? `returned ${reply.status}` : reply;
      }
      if (waitSeconds > MAX_WAIT_SECONDS) this.stop(`not asked: the service wants a pause of ${waitSeconds} s`);
      else await this.#wait(waitSeconds * 1000);
    }
  }

  /** Sends no further request, for a reason. */
  stop(reason: string): void {
    this.#stopped ??= reason;
  }
}

/** How long the service wants a client to wait before the next request, if it does. */
function secondsToWait({ status, retryAfterMs }: Observation): number | undefined {
  if (status !== 429 && (status !== 503 || retryAfterMs === undefined)) return undefined;
  return Math.ceil((retryAfterMs ?? 1000) / 1000);
}

/** Whether the service may have created the plant. */
function mayExist(reply: Observation | string): boolean {
  return typeof reply === "string" || reply.isAccepted || reply.status === 408 || reply.status >= 500;
}
