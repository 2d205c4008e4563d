import type { NewPlant } from "../../src/contract/plant.ts";
import { createMock } from "../memory/create-mock.ts";
import { createFetch } from "../memory/fetch.ts";
import { assumptions } from "../service/assumptions.ts";
import { acceptingOwnToken } from "../service/authentication.ts";
import type { Fault } from "../service/faults/fault-table.ts";
import type { MockPlantStoreOptions } from "../service/mock-options.ts";
import type { Fetch, RecordedRequest, VirtualMockPlantStore } from "../service/mock-plant-store.ts";
import { resolveOptions } from "../service/resolve-options.ts";
import type { Service } from "../service/service.ts";
import { type Random, randomFrom } from "../time/clock.ts";
import { Life, type Lives } from "../time/life.ts";
import { type RealWork, UNSEEN } from "../time/real-work.ts";
import { nextTurn } from "../time/runtime.ts";
import { JumpingClock, type QueuedTimer, type RunObserver } from "../time/virtual-clock.ts";
import { checkDoubles, checkReport, describeThrown, readReport, type Verdicts } from "./check-report.ts";
import { type Draw, type SimulationReplay, seedOf, withRedelivered } from "./draw-run.ts";
import { FaultPlan } from "./fault-plan.ts";
import { JournalEntries } from "./journal.ts";
import { SimulatedNetwork } from "./network.ts";
import type { End } from "./reduce.ts";
import type { Scenario } from "./scenario.ts";

/** What the runs of a simulation have in common. */
export interface RunSettings {
  readonly plants: readonly NewPlant[];
  readonly types: readonly Fault["type"][];
  readonly permanent: boolean;
  readonly mock: MockPlantStoreOptions;
  readonly lives: Lives;
  readonly realWork: RealWork;
}

const CLIENT_ERROR = Symbol.for("plant-store-client.error");

/** How many requests and timers a run may take: beyond, it is taken to be endless. */
const LIMITS = { requests: { least: 2_000, perPlant: 200 }, timers: { least: 200_000, perPlant: 2_000 } };
const MAX_RECORDED = 1_000;
/** The longest time until a killed scenario is started again, in milliseconds. */
const RESTART_MS = 2_000;

/** How much of what a scenario leaves behind happens: so many timers and immediates, and so much virtual time: a day. */
const MOST_LEFT = 1_000;
const LONGEST_LEFT_MS = 86_400_000;

/** One run of a scenario against a new mock, and how it ended. */
export class Run implements RunObserver {
  readonly realWork: RealWork;
  readonly clock: JumpingClock;
  readonly plan: FaultPlan;
  readonly network: SimulatedNetwork;
  /** How it has ended. */
  end: End = {};
  verdicts: Verdicts = new Map();
  readonly #draw: Draw;
  readonly #settings: RunSettings;
  readonly #journal = new JournalEntries();
  readonly #store: VirtualMockPlantStore;
  readonly #stopped: Promise<End>;
  #stop!: (end: End) => void;
  #life: Life;
  #isOver = false;
  readonly #crashes: number[] = [];
  /** Kills the current life after this many jumps. */
  #killAt: number | undefined;
  #kill!: () => void;
  /** The plants that existed when the scenario returned, and those that its journal had as created. */
  #existing = new Set<string>();
  #recorded = new Set<string>();
  /** Ends what goes on after the return of the scenario. */
  #endLeft: (() => void) | undefined;
  #mostFired = 0;
  #lastMs = 0;

  constructor(draw: Draw, settings: RunSettings) {
    const { lives, mock, realWork } = settings;
    const seed = seedOf(draw);
    this.#draw = draw;
    this.#settings = settings;
    this.realWork = realWork;
    this.#stopped = new Promise((resolve) => {
      this.#stop = resolve;
    });
    this.clock = new JumpingClock(seed, this);
    this.plan = new FaultPlan(seed, settings, draw.faults);
    this.network = new SimulatedNetwork(this.plan, seed, lives.find);
    const options = resolveOptions({ ...draw.mock, ...mock, maxRecordedRequests: MAX_RECORDED });
    const auth = options.auth && acceptingOwnToken(options.auth);
    const resolved = { ...options, auth, clock: this.clock, simulation: this.network };
    const fetchOf = (service: Service) => this.#fetchOf(createFetch(service, this.network));
    this.#life = this.#newLife();
    this.#store = createMock(resolved, true, { clock: () => this.#life, fetchOf }).mock as VirtualMockPlantStore;
  }

  /** What has happened by chance. */
  get replay(): SimulationReplay {
    return { ...this.#draw, faults: [...this.plan.used], crashes: this.#crashes };
  }

  /** The newest requests. */
  get requests(): readonly RecordedRequest[] {
    return [...this.#store.requests];
  }

  /** The length of the longest timer that has fired. */
  get longestMs(): number {
    return this.#life.longestMs;
  }

  async run(scenario: Scenario): Promise<this> {
    this.clock.wake();
    const returned = await this.#live(scenario);
    const end = (!returned.problem && (await this.#leave())) || returned;
    // What is under way arrives, even if nothing waits for it any more.
    this.#life.end();
    if (!end.problem) await this.clock.runOut();
    this.#isOver = true;
    this.clock.stop();
    this.end = this.#judge(end);
    return this;
  }

  /** Ends the run at once. */
  abort(): void {
    this.#fail("it was aborted");
  }

  get immediates(): number {
    return this.#life.immediates.size;
  }

  onJump(): void {
    const { jumps } = this.clock;
    if (this.#endLeft) return;
    this.#limit("timers", jumps);
    this.#limit("requests", this.network.requests);
    if (jumps === this.#killAt) this.#kill();
  }

  isDone(timers: readonly QueuedTimer[]): boolean {
    if (!this.#endLeft) return false;
    const isKept =
      this.immediates > 0 ||
      this.realWork.isUnderWay() ||
      timers.some(({ hasRef, at }) => hasRef && at <= this.#lastMs);
    const isDone = !isKept || this.#life.fired >= this.#mostFired;
    if (isDone) this.#endLeft();
    return isDone;
  }

  onStandstill(held: string): void {
    this.#endLeft?.();
    if (this.#endLeft) return;
    this.realWork.onStandstill();
    const words = this.immediates > 0 ? "a loop of immediates" : this.realWork.words;
    this.#fail(`virtual time has stood still, because it waits for ${held || words}`);
  }

  /** Runs the scenario, and again after each kill. */
  async #live(scenario: Scenario): Promise<End> {
    const random = randomFrom(seedOf(this.#draw) ^ 0x6c62272e);
    for (let restarts = 0; ; restarts++) {
      this.#life = this.#newLife();
      const crash = this.#draw.crashes[restarts];
      const restarted = new Promise<undefined>((resolve) => {
        this.#kill = () => {
          this.#life.kill();
          this.#crashes.push(crash as number);
          this.clock.after(random() * RESTART_MS, () => resolve(undefined));
        };
      });
      this.#killAt = crash && this.clock.jumps + crash;
      const end = await Promise.race([this.#runScenario(scenario, restarts, random), this.#stopped, restarted]);
      if (end) return end;
    }
  }

  #newLife(): Life {
    const fail = (what: string, error?: unknown) =>
      this.#stop({ problem: error === undefined ? what : `${what} ${describeThrown(error)}`, cause: error });
    return new Life(this.clock, fail);
  }

  /** Runs the scenario in its life. */
  async #runScenario(scenario: Scenario, restarts: number, random: Random): Promise<End> {
    const { lives } = this.#settings;
    const life = this.#life;
    const world = this.#worldOf(life, restarts, random);
    const running = lives.run(life, async () => scenario(world));
    const end = await life.untilOver<End>(running.then((report) => ({ report }), thrown));
    this.#killAt = undefined;
    this.#existing = new Set([...this.network.stored.keys(), ...[...this.#store.plants].map(({ id }) => `${id}`)]);
    this.#recorded = this.#journal.created;
    return end;
  }

  /**
   * What the scenario has left behind happens, as it would in a process that ends when nothing keeps it alive: its timers
   * fire, its real work ends, its calls go on. Returns the problem that this has shown, if any. A rejection that nobody
   * handles is reported by then.
   */
  #leave(): Promise<End | undefined> {
    this.#mostFired = this.#life.fired + MOST_LEFT;
    this.#lastMs = this.clock.now() + LONGEST_LEFT_MS;
    const left = new Promise<undefined>((resolve) => {
      this.#endLeft = () => resolve(undefined);
    });
    this.clock.wake();
    return Promise.race([this.#stopped, left]);
  }

  #worldOf(life: Life, restarts: number, random: Random) {
    const store = this.#store;
    const plants = withRedelivered(this.#settings.plants, this.#draw);
    return {
      plants,
      clientOptions: store.clientOptions,
      store,
      clock: life,
      journal: this.#journal.open(life, random),
      restarts,
    };
  }

  /** The `fetch` of the run: what calls it without an async context sends for the life that goes on. */
  #fetchOf(fetch: Fetch): Fetch {
    const { lives } = this.#settings;
    return async (input, init) => {
      const caller = lives.find();
      if (!this.#isOver || caller?.isOver)
        return lives.run(caller?.isOver ? caller : this.#life, () => fetch(input, init));
      // A loop that sends again at once must not block the process.
      await nextTurn();
      throw new TypeError("fetch failed: this client is of an earlier run; create it in the scenario");
    };
  }

  /** Finds what is wrong. */
  #judge(end: End): End {
    const { sent, stored } = this.network;
    const ids = this.#settings.plants.map(({ id }) => `${id}`);
    if (end.problem) return end;
    if (!("report" in end)) {
      const doubles = checkDoubles(stored);
      return doubles ? { ...end, problem: doubles } : (this.#findMissing(ids, end) ?? end);
    }
    const recorded = new Set(ids.filter((id) => this.#recorded.has(id)));
    const verdicts = readReport(end.report, recorded);
    if (typeof verdicts === "string") return { problem: verdicts };
    this.verdicts = verdicts;
    const { redelivered } = this.#draw;
    const problem = checkReport(verdicts, { ids, recorded, sent, stored, redelivered, existing: this.#existing });
    return problem ? { problem } : (this.#findMissing(ids, end) ?? end);
  }

  /** Without any fault, every plant is created that the mock does not refuse, and some plant exists. */
  #findMissing(ids: readonly string[], { cause }: End): End | undefined {
    if (this.#draw.run > 0) return undefined;
    const { refused, stored } = this.network;
    const missing = ids.find((id) => !stored.has(id) && !refused.has(id));
    if (missing === undefined && ids.some((id) => stored.has(id) || this.#existing.has(id))) return undefined;
    const thrown = cause === undefined ? UNSEEN : `the scenario threw ${describeThrown(cause)}`;
    const problem =
      missing === undefined
        ? `without any fault, no plant was created; the mock refused them with ${describeRefusal(this.requests)}`
        : `without any fault, plant ${missing} was not created; ${thrown}`;
    return { problem, cause, isMissing: true };
  }

  #limit(name: keyof typeof LIMITS, count: number): void {
    const { least, perPlant } = LIMITS[name];
    const limit = least + perPlant * this.#settings.plants.length;
    if (count > limit) this.#fail(`it did not end after ${limit} ${name}`);
  }

  #fail(problem: string): void {
    this.#stop({ problem });
  }
}

/** The newest response that refused a plant, and the options that lead to it: `413: body: …; see the option maxBodyBytes`. */
function describeRefusal(requests: readonly RecordedRequest[]): string {
  const refusal = requests.findLast(({ status }) => Number(status) >= 400);
  const { status, reply, assumption } = refusal as RecordedRequest;
  const { message = "a response of your own" } = Object(reply?.body) as { readonly message?: string };
  const fix = assumption ? `; see the option ${assumptions[assumption].options.toReversed().join(" or ")}` : "";
  return `${status}: ${message}${fix}`;
}

/** Right code may throw an error of the client. It is then only checked for doubles. */
function thrown(error: unknown): End {
  if (CLIENT_ERROR in Object(error)) return { cause: error };
  return { problem: `it threw ${describeThrown(error)}`, cause: error };
}
