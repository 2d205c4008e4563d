import { type Fault, faults, faultTable } from "../service/faults/fault-table.ts";
import type { Reply } from "../service/wire-reply.ts";
import { type Random, randomFrom } from "../time/clock.ts";

/** How the kinds are drawn that have more than one form; of the others, the template of the table is used. */
const DRAWS: { readonly [Type in Fault["type"]]?: (random: Random) => Fault } = {
  reply: drawReply,
  rateLimited: (random) => faults.rateLimited(1 + Math.floor(random() * 3)),
  delay: (random) => faults.delay(Math.floor(random() * 40_000)),
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
const STATUSES = [408, 500, 501, 502, 503, 504];
/** Responses that no service makes of a plant: of a proxy, or the page of a login. */
const PAGES: readonly Reply[] = [
  { status: 302, headers: { Location: "/maintenance" }, body: "" },
  { status: 200, headers: { "Content-Type": "text/html" }, body: "<h1>Sign in</h1>" },
];

function drawReply(random: Random): Fault {
  const oneOf = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const kind = random();
  if (kind < 0.15) return UNAVAILABLE;
  const stored = random() < 0.5;
  if (kind < 0.35) return faults.reply(oneOf(PAGES), { stored });
  return faults.reply({ status: oneOf(STATUSES), ...oneOf(BODIES) }, { stored });
}

/** The kinds of fault that are drawn. */
export const FAULT_TYPES: Fault["type"][] = typesOf(faultTable);

/** The kinds that a table of faults wants to be drawn. */
export function typesOf<Type extends string>(table: Readonly<Record<Type, { readonly isSimulated: boolean }>>): Type[] {
  return (Object.keys(table) as Type[]).filter((type) => table[type].isSimulated);
}

/** The share of the kinds that one run uses, and of the plants that a permanent fault meets. */
const SHARE_OF_KINDS = 0.35;
const SHARE_OF_PERMANENT = 0.2;
/** How often a request fails: in one run rarely, in another nearly always. */
const RAREST = 0.03;
const MOST = 0.9;
/** How often the next request of a plant meets the same fault again. */
const REPEATED = 0.4;
/** The share of the runs in which a fault may meet many requests of a plant, and in which one meets those of all plants. */
const SHARE_OF_BURSTS = 0.15;
/** How often a fault does so in such a run, and how many requests it meets. */
const BURST = 0.3;
const SHORTEST_BURST = 5;
const LONGEST_BURST = 200;
/** An outage begins with one of the first requests. */
const LAST_START = 20;
const FOR_EVER = 1_000_000;
/** The mean time of a request or a response on its way, in milliseconds. A response that takes long is a fault. */
const LATENCY_MS = 40;

/** A fault of one or more requests of a simulated run. */
export interface PlannedFault {
  /** The id of the plant, as text; absent if it affects all plants. */
  readonly id?: string;
  /** The first request that it affects, of those that the mock's rate limit admits: 1 for the plant's first, or that of all. */
  readonly request: number;
  /** How many requests it affects, if more than one. */
  readonly times?: number;
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
  readonly used: Set<PlannedFault> = new Set();
  /** How many requests met a fault. */
  affected = 0;
  readonly #seed: number;
  readonly #kinds: readonly Fault["type"][];
  readonly #rate: number;
  readonly #permanent: boolean;
  readonly #hasBursts: boolean;
  readonly #isKept: boolean;
  /** The faults that are kept, or those of more than one request. */
  readonly #planned: PlannedFault[];
  readonly #plants = new Map<string, Fate>();
  #count = 0;

  constructor(
    seed: number,
    { types, permanent }: { types: readonly Fault["type"][]; permanent: boolean },
    kept: readonly PlannedFault[] | undefined = types.length === 0 ? [] : undefined,
  ) {
    const random = randomFrom(seed);
    const some = types.filter(() => random() < SHARE_OF_KINDS);
    this.#seed = seed;
    this.#kinds = some.length > 0 ? some : types;
    this.#rate = RAREST * (MOST / RAREST) ** random();
    this.#permanent = permanent;
    this.#hasBursts = random() < SHARE_OF_BURSTS;
    this.#isKept = kept !== undefined;
    this.#planned = [...(kept ?? [])];
    if (kept || random() >= SHARE_OF_BURSTS) return;
    const request = 1 + Math.floor(random() * LAST_START);
    this.#planned.push({ request, times: drawTimes(random), fault: this.#drawKind(random) });
  }

  /** The fault of the next request for a plant that the mock admits. */
  nextFault(id: string): Fault | undefined {
    const plant = this.#fateOf(id);
    plant.count++;
    this.#count++;
    const known = this.#planned.find((planned) => this.#isMet(planned, id, plant.count));
    const planned = known ?? (this.#isKept ? undefined : this.#draw(id, plant));
    if (!planned) return undefined;
    this.used.add(planned);
    this.affected++;
    return planned.fault;
  }

  /** How long the next message for a plant, a request or a response, is on its way, in milliseconds. */
  nextLatencyMs(id: string): number {
    return Math.round(-Math.log(1 - this.#fateOf(id).latencies()) * LATENCY_MS);
  }

  /** Whether a planned fault meets the request of a plant, or the newest of all. */
  #isMet({ id, request, times = 1 }: PlannedFault, plantId: string, count: number): boolean {
    const position = (id === undefined ? this.#count : count) - request;
    return (id === undefined || id === plantId) && position >= 0 && position < times;
  }

  #fateOf(id: string): Fate {
    const known = this.#plants.get(id);
    if (known) return known;
    const seed = [...id].reduce((mixed, digit) => Math.imul(mixed, 31) + digit.charCodeAt(0), this.#seed);
    const fate = { faults: randomFrom(seed), latencies: randomFrom(~seed), count: 0, last: undefined };
    this.#plants.set(id, fate);
    if (!this.#isKept && this.#permanent && fate.faults() < SHARE_OF_PERMANENT) {
      this.#planned.push({ id, request: 1, times: FOR_EVER, fault: this.#drawKind(fate.faults) });
    }
    return fate;
  }

  #draw(id: string, plant: Fate): PlannedFault | undefined {
    const { faults: random, last } = plant;
    const isRepeated = last !== undefined && random() < REPEATED;
    plant.last = isRepeated ? last : random() < this.#rate ? this.#drawKind(random) : undefined;
    if (!plant.last) return undefined;
    const planned = { id, request: plant.count, fault: plant.last };
    if (isRepeated || !this.#hasBursts || random() >= BURST) return planned;
    const burst = { ...planned, times: drawTimes(random) };
    this.#planned.push(burst);
    return burst;
  }

  #drawKind(random: Random): Fault {
    const type = this.#kinds[Math.floor(random() * this.#kinds.length)] as Fault["type"];
    return DRAWS[type]?.(random) ?? faultTable[type].template;
  }
}

function drawTimes(random: Random): number {
  return Math.floor(SHORTEST_BURST * (LONGEST_BURST / SHORTEST_BURST) ** random());
}
