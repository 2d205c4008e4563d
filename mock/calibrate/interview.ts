import type { NewPlant } from "../../src/contract/plant.ts";
import { PLANT_NAME, type Probe } from "../service/probe.ts";
import { type Configuration, type Finding, findDifference } from "./configuration.ts";
import { describeObservation, type Endpoint, exchange, missing, type Observation } from "./exchange.ts";

export const MAX_REQUESTS = 60;
export const MAX_PLANTS = 32;
/** How often a request is sent until two answers agree. */
export const MAX_ANSWERS = 3;
const MAX_WAIT_SECONDS = 60;
/** After so many requests in a row without a response the service counts as down. */
const MAX_SILENCE = 3;
/** After so many requests in a row that do not show that the service is well, a valid plant does. */
const MAX_UNPROVEN = 9;
/** Statuses that say nothing about the request. */
const OF_GATEWAYS: ReadonlySet<number> = new Set([408, 502, 503, 504]);

/** What was sent; it is counted even if a signal ends the command. */
export interface Counts {
  requests: number;
  /** How many plants may exist now. */
  plants: number;
}

/** Asks one service, as long as limits allow and it is well: as long as it creates a valid plant as in the beginning. */
export class Interview {
  readonly service: Endpoint;
  readonly given: Configuration;
  readonly counts: Counts;
  /** The answers so far that count, in order. */
  readonly answers: Finding[] = [];
  /** What has changed, and after which probe, if the service is no longer well. */
  unwell: string | undefined;
  /** Why no further request is sent. */
  stopped: string | undefined;
  /** The response to a valid plant, once it is known. */
  #created: Finding | undefined;
  readonly #wait: Wait;
  /** An id that no earlier run has used, with room for those of this one. */
  #id = Math.floor(Math.random() * (Number.MAX_SAFE_INTEGER - MAX_REQUESTS));
  #silence = 0;
  /** Requests since the service was known to be well, and the number of answers at that time. */
  #unproven = 0;
  #proven = 0;

  /**
   * @param given - The configuration of the mock whose answers need not be seen twice.
   * @param counts - Where requests and plants are counted.
   */
  constructor(service: Endpoint, given: Configuration, wait: Wait, counts: Counts = { requests: 0, plants: 0 }) {
    this.service = service;
    this.counts = counts;
    this.given = given;
    this.#wait = wait;
  }

  /** Takes the response to a valid plant, with which later ones are compared. */
  begin(created: Finding): void {
    this.#created = created;
    this.#prove();
    if (!created.reply.isAccepted) this.stopped = "not asked: the service rejects a valid plant";
  }

  /** Sends the request of a probe, with a new plant unless it is about one that exists, and keeps the answer. */
  async ask(name: string, probe: Probe): Promise<Observation> {
    if (this.#unproven >= MAX_UNPROVEN) await this.checkHealth(1);
    const plant = (probe.isDuplicate && this.#created?.plant) || this.#newPlant(probe);
    const reply = await this.#send(probe, plant, 1);
    const finding = { name, probe, plant, reply, created: this.#created?.reply, mocked: undefined };
    this.answers.push({ ...finding, mocked: await findDifference(this.given, finding) });
    if (probe.token === undefined && this.#isAsCreated(reply)) this.#prove();
    return reply;
  }

  /**
   * Creates the valid plant of the beginning once more. If that fails, the answers since it last succeeded do not count.
   *
   * @param reserved - How many requests and plants must be left after it.
   */
  async checkHealth(reserved: number): Promise<void> {
    const created = this.#created as Finding;
    if (!created.reply.isAccepted || this.unwell !== undefined || (reserved > 0 && this.#unproven === 0)) return;
    if (reserved > 0 && this.#reasonToStop(reserved) !== undefined) return;
    let reply = created.reply;
    for (let count = 0; count < MAX_ANSWERS; count++) {
      reply = await this.#send(created.probe, this.#newPlant(created.probe), reserved);
      if (this.#isAsCreated(reply)) return this.#prove();
    }
    this.answers.length = this.#proven;
    const { name } = this.answers.at(-1) as Finding;
    const [now, before] = [reply, created.reply].map(describeObservation);
    this.unwell = `After ${name}, a valid plant was not created as before (${before}): ${now}. Later answers do not count.`;
    this.stopped ??= "the service had changed";
  }

  #newPlant({ fields }: Probe): NewPlant {
    return { id: this.#id++, name: PLANT_NAME, ...fields };
  }

  #isAsCreated(reply: Observation): boolean {
    return this.#created !== undefined && describeObservation(reply) === describeObservation(this.#created.reply);
  }

  #prove(): void {
    this.#proven = this.answers.length;
    this.#unproven = 0;
  }

  #reasonToStop(reserved: number): string | undefined {
    if (this.counts.requests >= MAX_REQUESTS - reserved) return `not asked, after ${this.counts.requests} requests`;
    if (this.counts.plants >= MAX_PLANTS - reserved) return `not asked, after ${this.counts.plants} plants`;
    return this.stopped;
  }

  /** Sends a request, again if the service asks for it. */
  async #send(probe: Probe, plant: NewPlant, reserved: number): Promise<Observation> {
    for (;;) {
      const reason = this.#reasonToStop(reserved);
      if (reason !== undefined) return missing(reason);
      const plants = probe.method === undefined ? 1 : 0;
      this.counts.requests++;
      this.counts.plants += plants;
      this.#unproven++;
      const reply = await exchange(this.service, probe, plant);
      this.#silence = reply.missing === undefined ? 0 : this.#silence + 1;
      if (this.#silence === MAX_SILENCE) this.stopped = `not asked: no response to ${MAX_SILENCE} requests in a row`;
      const waitSeconds = secondsToWait(reply);
      if (waitSeconds !== undefined || !mayExist(reply)) this.counts.plants -= plants;
      if (waitSeconds === undefined) return OF_GATEWAYS.has(reply.status) ? missing(`returned ${reply.status}`) : reply;
      if (waitSeconds <= MAX_WAIT_SECONDS) await this.#wait(waitSeconds * 1000);
      else this.stopped = `not asked: the service wants a pause of ${waitSeconds} s`;
    }
  }
}

/** Waits for some milliseconds. */
type Wait = (ms: number) => Promise<unknown>;

/** How long the service wants a client to wait before the next request, if it does. */
function secondsToWait({ status, retryAfterMs }: Observation): number | undefined {
  if (status !== 429 && (status !== 503 || retryAfterMs === undefined)) return undefined;
  return Math.ceil((retryAfterMs ?? 1000) / 1000);
}

/** Whether the service may have created the plant. */
function mayExist({ missing, isAccepted, status }: Observation): boolean {
  return missing !== undefined || isAccepted || status === 408 || status >= 500;
}
