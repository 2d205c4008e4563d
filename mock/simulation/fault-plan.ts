import { type Fault, faults } from "../service/faults/fault-table.ts";
import type { Reply } from "../service/wire-reply.ts";
import { type Random, randomFrom } from "../time/random.ts";

/** How each kind of fault is drawn. */
const KINDS: { readonly [Type in Fault["type"]]: (random: Random) => Fault } = {
  apiError: () => faults.apiError(7, "the greenhouse is full"),
  unauthorized: faults.unauthorized,
  reply: drawReply,
  rateLimited: (random) => faults.rateLimited(1 + Math.floor(random() * 3)),
  delay: (random) => faults.delay(Math.floor(random() * 40_000)),
  hang: faults.hang,
  networkError: faults.networkError,
  connectionRefused: faults.connectionRefused,
  lostResponse: faults.lostResponse,
  truncatedBody: faults.truncatedBody,
  stalledBody: faults.stalledBody,
};

/** A refusal that the client takes for one: with Retry-After, and the contract's Error. The plant is never stored. */
const UNAVAILABLE = faults.reply({
  status: 503,
  headers: { "Retry-After": "1" },
  body: { error: 50300, message: "the service is being restarted" },
});

/** Responses of a service, or a gateway before it, that has stored the plant or has not. */
const BODIES: readonly Omit<Reply, "status">[] = [
  { body: { error: 50000, message: "an internal error" } },
  { body: "" },
  { headers: { "Content-Type": "text/html" }, body: "<h1>Bad Gateway</h1>" },
  { headers: { "Content-Type": "text/html", "Retry-After": "1" }, body: "<h1>Backend fetch failed</h1>" },
];
const STATUSES = [500, 502, 503, 504];
const REDIRECT: Reply = { status: 302, headers: { Location: "/maintenance" }, body: "" };

function drawReply(random: Random): Fault {
  const oneOf = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const kind = random();
  if (kind < 0.15) return UNAVAILABLE;
  const stored = random() < 0.5;
  if (kind < 0.35) return faults.reply(REDIRECT, { stored });
  return faults.reply({ status: oneOf(STATUSES), ...oneOf(BODIES) }, { stored });
}

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
  /** Which of the plant's requests it affects, of those that the mock's rate limit admits: 1 for the first. */
  readonly request: number;
  /** The fault. */
  readonly fault: Fault;
}

/** What happens to a plant. */
interface Fate {
  readonly faults: Random;
  readonly latencies: Random;
  count: number;
  last: Fault | undefined;
}

/**
 * The faults and latencies of one run, drawn as in swarm testing: each run uses some kinds of fault only, at a rate of its
 * own. Each plant has its own streams of random numbers, one of faults and one of latencies, so that the order of requests
 * does not matter.
 *
 * @param kept - If given, these faults happen, and no other.
 */
export class FaultPlan {
  readonly used: PlannedFault[] = [];
  readonly #seed: number;
  readonly #kinds: readonly Fault["type"][];
  readonly #rate: number;
  readonly #permanent: boolean;
  readonly #kept: ReadonlyMap<string, Fault> | undefined;
  readonly #plants = new Map<string, Fate>();

  constructor(
    seed: number,
    { types, permanent }: { types: readonly Fault["type"][]; permanent: boolean },
    kept?: readonly PlannedFault[],
  ) {
    const random = randomFrom(seed);
    const some = types.filter(() => random() < SHARE_OF_KINDS);
    this.#seed = seed;
    this.#kinds = some.length > 0 ? some : types;
    this.#rate = types.length > 0 ? RAREST * (MOST / RAREST) ** random() : 0;
    this.#permanent = permanent;
    this.#kept = kept && new Map(kept.map(({ id, request, fault }) => [`${id} ${request}`, fault]));
  }

  /** The fault of the next request for a plant that the mock admits. */
  nextFault(id: string): Fault | undefined {
    const plant = this.#fateOf(id);
    const request = ++plant.count;
    if (!this.#kept) plant.last = this.#draw(plant.faults, plant.last);
    const fault = this.#kept ? this.#kept.get(`${id} ${request}`) : plant.last;
    if (fault) this.used.push({ id, request, fault });
    return fault;
  }

  /** How long the next message for a plant, a request or a response, is on its way, in milliseconds. */
  nextLatencyMs(id: string): number {
    return Math.round(-Math.log(1 - this.#fateOf(id).latencies()) * LATENCY_MS);
  }

  #fateOf(id: string): Fate {
    const known = this.#plants.get(id);
    if (known) return known;
    const seed = [...id].reduce((mixed, digit) => Math.imul(mixed, 31) + digit.charCodeAt(0), this.#seed);
    const faults = randomFrom(seed);
    const isPermanent = this.#permanent && this.#rate > 0 && faults() < SHARE_OF_PERMANENT;
    const fixed = isPermanent ? this.#drawKind(faults) : undefined;
    const fate = { faults: fixed ? () => 0 : faults, latencies: randomFrom(~seed), count: 0, last: fixed };
    this.#plants.set(id, fate);
    return fate;
  }

  #draw(random: Random, last: Fault | undefined): Fault | undefined {
    if (last && random() < REPEATED) return last;
    return random() < this.#rate ? this.#drawKind(random) : undefined;
  }

  #drawKind(random: Random): Fault {
    const type = this.#kinds[Math.floor(random() * this.#kinds.length)] as Fault["type"];
    return KINDS[type as keyof typeof KINDS](random);
  }
}
