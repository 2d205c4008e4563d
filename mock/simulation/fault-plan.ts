import { type Fault, faults } from "../service/faults/fault-table.ts";
import { type Random, randomFrom } from "../time/random.ts";

/** How each kind of fault is drawn. */
const KINDS: { readonly [Type in Exclude<Fault["type"], "unauthorized">]: (random: Random) => Fault } = {
  apiError: () => faults.apiError(7, "the greenhouse is full"),
  reply: (random) => (random() < 0.5 ? faults.reply({ status: 500 }) : UNAVAILABLE),
  rateLimited: (random) => faults.rateLimited(1 + Math.floor(random() * 3)),
  delay: (random) => faults.delay(Math.floor(random() * 40_000)),
  hang: faults.hang,
  networkError: faults.networkError,
  connectionRefused: faults.connectionRefused,
  lostResponse: faults.lostResponse,
  truncatedBody: faults.truncatedBody,
  stalledBody: faults.stalledBody,
};

/** A refusal that the client takes for one: with Retry-After, and the contract's Error. */
const UNAVAILABLE = faults.reply({
  status: 503,
  headers: { "Retry-After": "1" },
  body: { error: 50300, message: "the service is being restarted" },
});

export const FAULT_TYPES = Object.keys(KINDS) as Fault["type"][];

/** The share of the kinds that one run uses, and of the plants that a permanent fault meets. */
const SHARE_OF_KINDS = 0.35;
const SHARE_OF_PERMANENT = 0.2;
/** How often a request fails: in one run rarely, in another nearly always. */
const RAREST = 0.03;
const MOST = 0.9;
/** How often the next request of a plant meets the same fault again. */
const REPEATED = 0.4;
/** The mean time of a request or a response on its way, in milliseconds. A response that takes long is a fault. */
const LATENCY_MS = 40;

/** A fault of one request of a simulated run. */
export interface PlannedFault {
  /** The id of the plant, as text. */
  readonly id: string;
  /** Which of the plant's requests it affects: 1 for the first. */
  readonly request: number;
  /** The fault. */
  readonly fault: Fault;
}

/** What happens to one request. */
export interface Fate {
  readonly fault: Fault | undefined;
  /** On the way to the service, and on the way back. */
  readonly latencyMs: readonly [request: number, response: number];
}

/**
 * The faults and latencies of one run, drawn as in swarm testing: each run uses some kinds of fault only, at a rate of its
 * own. Each plant has its own stream of random numbers, so that the order of requests does not matter.
 *
 * @param kept - If given, only these faults happen: for reducing.
 */
export class FaultPlan {
  readonly used: PlannedFault[] = [];
  readonly #seed: number;
  readonly #kinds: readonly Fault["type"][];
  readonly #rate: number;
  readonly #permanent: boolean;
  readonly #kept: readonly PlannedFault[] | undefined;
  readonly #plants = new Map<string, { count: number; faults: Random; latency: Random; last: Fault | undefined }>();

  constructor(
    seed: number,
    { types, permanent }: { types: readonly Fault["type"][]; permanent: boolean },
    kept?: readonly PlannedFault[],
  ) {
    const random = randomFrom(seed);
    const some = types.filter(() => random() < SHARE_OF_KINDS);
    this.#seed = seed;
    this.#kinds = some.length > 0 ? some : types;
    this.#rate = RAREST * (MOST / RAREST) ** random();
    this.#permanent = permanent;
    this.#kept = kept;
  }

  /** The fate of the next request for a plant. */
  next(id: string): Fate {
    const plant = this.#plants.get(id) ?? this.#newPlant(id);
    plant.count++;
    plant.last = this.#draw(plant.faults, plant.last);
    const latencyMs = [latency(plant.latency), latency(plant.latency)] as const;
    const fault = this.#isKept(id, plant.count) ? plant.last : undefined;
    if (fault) this.used.push({ id, request: plant.count, fault });
    return { fault, latencyMs };
  }

  #newPlant(id: string) {
    const seed = [...id].reduce((mixed, digit) => Math.imul(mixed, 31) + digit.charCodeAt(0), this.#seed);
    const faults = randomFrom(seed);
    const isPermanent = this.#permanent && faults() < SHARE_OF_PERMANENT;
    const fixed = isPermanent ? this.#drawKind(faults) : undefined;
    const plant = { count: 0, faults: fixed ? () => 0 : faults, latency: randomFrom(~seed), last: fixed };
    this.#plants.set(id, plant);
    return plant;
  }

  #draw(random: Random, last: Fault | undefined): Fault | undefined {
    if (last && random() < REPEATED) return last;
    return random() < this.#rate ? this.#drawKind(random) : undefined;
  }

  #drawKind(random: Random): Fault {
    const type = this.#kinds[Math.floor(random() * this.#kinds.length)] as Fault["type"];
    return KINDS[type as keyof typeof KINDS](random);
  }

  #isKept(id: string, request: number): boolean {
    return this.#kept?.some((fault) => fault.id === id && fault.request === request) ?? true;
  }
}

function latency(random: Random): number {
  return -Math.log(1 - random()) * LATENCY_MS;
}
