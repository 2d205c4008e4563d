import { parseRetryAfter } from "../../src/checks/retry-after.ts";
import { CREATE_PLANT } from "../../src/contract/operations.ts";
import type { NewPlant } from "../../src/contract/plant.ts";
import { type AssumptionName, assumptions } from "../service/assumptions.ts";
import type { Probe } from "../service/probe.ts";
import { describeObservation, type Endpoint, exchange, type Observation } from "./exchange.ts";

export const MAX_REQUESTS = 20;
export const MAX_PLANTS = 8;
/** The name of every plant that is created. */
export const PLANT_NAME = "plant-store-mock calibrate";
const MAX_WAIT_SECONDS = 60;
/** Statuses that say nothing about the request. */
const OF_GATEWAYS: ReadonlySet<number> = new Set([408, 502, 503, 504]);

/** What the service did with the request of one probe. */
export interface Finding {
  readonly name: AssumptionName;
  readonly probe: Probe;
  readonly plant: NewPlant;
  readonly reply: Observation;
}

/** What the service did. */
export interface Survey {
  readonly requests: number;
  readonly plants: number;
  /** A plant that exists. */
  readonly plant: NewPlant;
  /** The response to a valid request. */
  readonly created: Observation;
  readonly findings: readonly Finding[];
  /** What it could not find out, and why. */
  readonly open: readonly (readonly [name: AssumptionName, reason: string])[];
}

/** Waits for some milliseconds. */
export type Wait = (ms: number) => Promise<unknown>;

/**
 * Asks the service what the contract leaves open.
 *
 * @throws Error if the service does not create a plant: it is none, or does not accept the token.
 */
export async function survey(service: Endpoint, wait: Wait): Promise<Survey> {
  // Ids that no earlier run has used, with room for those of this one.
  let id = Math.floor(Math.random() * (Number.MAX_SAFE_INTEGER - MAX_REQUESTS));
  const nextPlant = () => ({ id: id++, name: PLANT_NAME });
  const questions = new Questions(service, wait);

  const plant = nextPlant();
  const created = await questions.ask({ sends: "a valid plant" }, plant);
  const problem = problemOf(created);
  if (typeof created === "string" || problem !== undefined) {
    throw new Error(`${CREATE_PLANT.method} ${service.baseUrl}${CREATE_PLANT.path}: ${problem}`);
  }
  const findings: Finding[] = [];
  const open: [AssumptionName, string][] = [];
  for (const [name, { probe }] of Object.entries(assumptions) as [AssumptionName, { probe: Probe }][]) {
    if ("none" in probe) {
      open.push([name, `${probe.none}`]);
      continue;
    }
    const asked = probe.isDuplicate ? plant : nextPlant();
    const reply = await questions.ask(probe, asked);
    if (typeof reply === "string") open.push([name, reply]);
    else if (probe.otherwise !== undefined && reply.isAccepted) open.push([name, probe.otherwise]);
    else findings.push({ name, probe, plant: asked, reply });
  }
  return { requests: questions.requests, plants: questions.plants, plant, created, findings, open };
}

/** Why the response to a valid plant is not that of a plant store. */
function problemOf(created: Observation | string): string | undefined {
  if (typeof created === "string") return created;
  if (created.isAccepted && created.isPlant) return undefined;
  const returned = `returned ${describeObservation(created)}`;
  if (created.status === 401 || created.status === 403) return `${returned}: the service does not accept the token`;
  return `${returned} to a valid plant: this is not a plant store, or the URL lacks its base path`;
}

/** Sends requests until a limit is reached. */
class Questions {
  requests = 0;
  /** How many plants may exist now. */
  plants = 0;
  readonly #service: Endpoint;
  readonly #wait: Wait;
  #stopped: string | undefined;

  constructor(service: Endpoint, wait: Wait) {
    this.#service = service;
    this.#wait = wait;
  }

  /** Sends a request, again if the service asks for it; resolves with the reason if that is not possible. */
  async ask(probe: Probe, plant: NewPlant): Promise<Observation | string> {
    for (;;) {
      if (this.requests === MAX_REQUESTS) this.#stopped ??= `not asked, after ${MAX_REQUESTS} requests`;
      if (this.plants === MAX_PLANTS) this.#stopped ??= `not asked, after ${MAX_PLANTS} plants`;
      if (this.#stopped !== undefined) return this.#stopped;
      this.requests++;
      const reply = await exchange(this.#service, probe, plant);
      const waitSeconds = typeof reply === "string" ? undefined : secondsToWait(reply);
      if (waitSeconds === undefined) {
        if (probe.method === undefined && mayExist(reply)) this.plants++;
        return typeof reply !== "string" && OF_GATEWAYS.has(reply.status) ? `returned ${reply.status}` : reply;
      }
      if (waitSeconds > MAX_WAIT_SECONDS) this.#stopped = `not asked: the service wants a pause of ${waitSeconds} s`;
      else await this.#wait(waitSeconds * 1000);
    }
  }
}

/** How long the service wants a client to wait before the next request, if it does. */
function secondsToWait({ status, headers }: Observation): number | undefined {
  const { "Retry-After": value = null } = headers;
  if (status !== 429 && (status !== 503 || value === null)) return undefined;
  return Math.ceil((parseRetryAfter(value, null, { date: Date.now }) ?? 1000) / 1000);
}

/** Whether the service may have created the plant. */
function mayExist(reply: Observation | string): boolean {
  return typeof reply === "string" || reply.isAccepted || reply.status === 408 || reply.status >= 500;
}
