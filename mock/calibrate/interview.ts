import { setTimeout as sleep } from "node:timers/promises";
import type { NewPlant } from "../../src/contract/plant.ts";
import { type Configuration, type Finding, findDifference } from "./configuration.ts";
import { describeObservation, type Endpoint, missing, type Observation, observe } from "./observe.ts";
import { PLANT_NAME, type Probe } from "./probes.ts";

export const MAX_REQUESTS = 80;
export const MAX_PLANTS = 32;
/** How often a valid plant is sent until it is created as in the beginning. */
const MAX_HEALTH_CHECKS = 3;
const MAX_WAIT_SECONDS = 60;
/** After so many requests that do not show that the service is well, the next probe waits until a valid plant does. */
const MAX_UNPROVEN = 10;
/** One without a response counts as so many of these. */
const UNPROVEN_BY_SILENCE = 3;

/** What was sent; it is counted even if a signal ends the command. */
export interface Counts {
  requests: number;
  /** How many plants may exist now. */
  plants: number;
}

/** Asks one service, as long as limits allow and it is well: as long as it creates a valid plant as in the beginning. */
export class Interview {
  /** The answers so far, in order. */
  readonly answers: Finding[] = [];
  /** The response to a valid plant, once it is known. */
  created: Finding | undefined;
  /** An id that no earlier run has used, with room for those of this one. */
  #id = Math.floor(Math.random() * (Number.MAX_SAFE_INTEGER - MAX_REQUESTS));
  /** Requests since the service was known to be well, and the probe after which it was. */
  #unproven = 0;
  #proven = "created";

  /**
   * @param given - The configuration of the mock with whose answers those of the service are compared.
   * @param counts - Where requests and plants are counted.
   */
  constructor(
    readonly service: Endpoint,
    readonly given: Configuration,
    readonly counts: Counts = { requests: 0, plants: 0 },
    private readonly wait: (ms: number) => Promise<unknown> = sleep,
  ) {}

  /**
   * Sends the request of a probe, some times in a row, as long as there are responses. Each has a new plant, unless the
   * probe is about one that exists.
   */
  async ask(name: string, probe: Probe, times: number): Promise<void> {
    if (this.#unproven >= MAX_UNPROVEN) await this.checkHealth(1);
    for (let count = 0; count < times; count++) {
      const plant = (probe.isDuplicate && this.created?.plant) || this.#newPlant(probe);
      const reply = await this.#send(probe, plant, 1);
      const finding = { name, probe, plant, reply, created: this.created?.reply };
      this.answers.push({ ...finding, mocked: await findDifference(this.given, finding) });
      if (probe.authorization === undefined) this.#proves(reply, name);
      if (reply.missing !== undefined) return;
    }
  }

  /**
   * Creates the valid plant of the beginning once more, unless the last answer was that.
   *
   * @param reserved - How many requests and plants must be left for such a check of the end.
   * @throws Error if it is not created as before: the answers since it last was do not count.
   */
  async checkHealth(reserved: number): Promise<void> {
    if (this.#unproven === 0 || (reserved > 0 && this.#isAtLimit(reserved))) return;
    const { probe, reply: before } = this.created as Finding;
    let now = before;
    for (let count = 0; count < MAX_HEALTH_CHECKS; count++) {
      now = await this.#send(probe, this.#newPlant(probe), reserved);
      if (this.#proves(now, this.answers.at(-1)?.name)) return;
    }
    const [beginning, end] = [before, now].map(describeObservation);
    throw new Error(
      `the service has changed after ${this.#proven}: the response to a valid plant was ${beginning}; now it is ${end}`,
    );
  }

  #newPlant({ fields }: Probe): NewPlant {
    return { id: this.#id++, name: PLANT_NAME, ...fields };
  }

  /** Whether a response after a probe shows that the service is well. */
  #proves(reply: Observation, name = "created"): boolean {
    if (this.created === undefined || describeObservation(reply) !== describeObservation(this.created.reply))
      return false;
    this.#unproven = 0;
    this.#proven = name;
    return true;
  }

  #isAtLimit(reserved: number): boolean {
    return this.counts.requests >= MAX_REQUESTS - reserved || this.counts.plants >= MAX_PLANTS - reserved;
  }

  /**
   * Sends a request, again if the service asks for it.
   *
   * @throws Error if the service wants a long pause.
   */
  async #send(probe: Probe, plant: NewPlant, reserved: number): Promise<Observation> {
    const { counts } = this;
    for (;;) {
      if (this.#isAtLimit(reserved)) {
        return missing(`not asked, after ${counts.requests} requests and ${counts.plants} plants`);
      }
      const plants = probe.method === undefined ? 1 : 0;
      counts.requests++;
      counts.plants += plants;
      const reply = await observe(this.service, probe, plant);
      this.#unproven += reply.missing === undefined ? 1 : UNPROVEN_BY_SILENCE;
      const waitSeconds = secondsToWait(reply);
      if (!mayExist(reply)) counts.plants -= plants;
      if (waitSeconds === undefined) return reply;
      if (waitSeconds > MAX_WAIT_SECONDS) throw new Error(`the service wants a pause of ${waitSeconds} s`);
      await this.wait(waitSeconds * 1000);
    }
  }
}

/** How long the service wants a client to wait before the next request, if it does. */
function secondsToWait({ status, retryAfterMs }: Observation): number | undefined {
  if (status !== 429 && (status !== 503 || retryAfterMs === undefined)) return undefined;
  return Math.ceil((retryAfterMs ?? 1000) / 1000);
}

/** Whether the service may have created the plant. */
function mayExist({ missing, status }: Observation): boolean {
  return missing !== undefined || status < 300 || status >= 500;
}
