import type { NewPlant } from "../../src/contract/plant.ts";
import { createMock } from "../memory/create-mock.ts";
import { createFetch } from "../memory/fetch.ts";
import type { Fault } from "../service/faults/fault-table.ts";
import type { MockPlantStoreOptions } from "../service/mock-options.ts";
import type { RecordedRequest, VirtualMockPlantStore } from "../service/mock-plant-store.ts";
import { resolveOptions } from "../service/resolve-options.ts";
import { LifeClock } from "../time/life-clock.ts";
import { randomFrom } from "../time/random.ts";
import { type RealWork, UNSEEN } from "../time/real-work.ts";
import { JumpingClock, type RunObserver } from "../time/virtual-clock.ts";
import { checkDoubles, checkReport, type Facts, readReport, type Verdicts } from "./check-report.ts";
import { describeThrown } from "./describe-thrown.ts";
import { FaultPlan } from "./fault-plan.ts";
import { JournalEntries } from "./journal.ts";
import type { Lives } from "./lives.ts";
import { SimulatedNetwork } from "./network.ts";
import { deliver, type SimulationReplay } from "./replay.ts";
import type { Scenario, SimulatedReport } from "./scenario.ts";

/** What a run is made of, besides what is drawn. */
export interface RunSettings {
  readonly plants: readonly NewPlant[];
  readonly types: readonly Fault["type"][];
  readonly permanent: boolean;
  readonly mock: MockPlantStoreOptions;
  readonly lives: Lives;
  readonly realWork: RealWork;
}

/** What is drawn for a run. Without `faults`, these are drawn as requests arrive. */
export type Draw = Omit<SimulationReplay, "faults"> & { readonly faults: SimulationReplay["faults"] | undefined };

/** What is wrong, and what the scenario has thrown. */
interface Problem {
  readonly text: string;
  readonly cause?: unknown;
}

/** How a run ended. */
export interface RunResult {
  /** What is wrong; undefined if nothing is. */
  readonly problem: Problem | undefined;
  /** The error of the client that ended the scenario: a right one may throw, e.g. after ten minutes of 503. */
  readonly clientError: unknown;
  /** What has happened by chance. */
  readonly replay: SimulationReplay;
  /** The newest requests. */
  readonly requests: readonly RecordedRequest[];
  readonly requestCount: number;
  readonly verdicts: Verdicts;
  /** The plants that were neither stored nor refused. */
  readonly missing: readonly string[];
  /** How often the clock has jumped. */
  readonly jumps: number;
}

const CLIENT_ERROR = Symbol.for("plant-store-client.error");

/** How many requests and timers a run may take: beyond, it is taken to be endless. */
const LIMITS = { requests: { least: 2_000, perPlant: 200 }, timers: { least: 200_000, perPlant: 2_000 } };
const MAX_RECORDED = 1_000;
/** The longest time until a killed scenario is started again, in milliseconds. */
const RESTART_MS = 2_000;

type End = { readonly report: SimulatedReport } | { readonly problem: Problem } | { readonly error: unknown };

/** One run of a scenario against a new mock. */
export class Run implements RunObserver {
  readonly realWork: RealWork;
  readonly #draw: Draw;
  readonly #settings: RunSettings;
  readonly #clock: JumpingClock;
  readonly #plan: FaultPlan;
  readonly #network: SimulatedNetwork;
  readonly #journal = new JournalEntries();
  readonly #store: VirtualMockPlantStore;
  readonly #stuck: Promise<End>;
  #stop!: (end: End) => void;
  readonly #crashes: number[] = [];
  /** Kills the current life after this many jumps. */
  #killAt: number | undefined;
  #kill!: () => void;

  constructor(draw: Draw, settings: RunSettings) {
    const { seed, faults } = draw;
    const { lives, mock, realWork } = settings;
    this.#draw = draw;
    this.#settings = settings;
    this.realWork = realWork;
    this.#stuck = new Promise((resolve) => {
      this.#stop = resolve;
    });
    this.#clock = new JumpingClock(seed, this);
    this.#plan = new FaultPlan(seed, settings, faults);
    this.#network = new SimulatedNetwork(this.#plan, seed, lives.find);
    const options = resolveOptions({ ...draw.mock, ...mock, maxRecordedRequests: MAX_RECORDED });
    const resolved = { ...options, clock: this.#clock, simulation: this.#network };
    this.#store = createMock(resolved, true, (service) => createFetch(service, this.#network)).mock as never;
  }

  async run(scenario: Scenario): Promise<RunResult> {
    const end = await this.#live(scenario);
    const existing = new Set([...this.#network.stored.keys(), ...[...this.#store.plants].map(({ id }) => `${id}`)]);
    // What is under way arrives, even if nothing waits for it any more.
    this.#settings.lives.current?.end();
    if (!("problem" in end)) await this.#clock.runOut();
    this.#clock.stop();
    this.#settings.lives.current = undefined;
    const { stored, refused, requests } = this.#network;
    const ids = this.#settings.plants.map(({ id }) => `${id}`);
    const recorded = new Set(ids.filter((id) => this.#journal.hasCreated(id)));
    const verdicts = "report" in end ? readReport(end.report, recorded) : new Map();
    return {
      problem: this.#judge(end, verdicts, { ids, redelivered: this.#draw.redelivered, stored, existing, recorded }),
      clientError: "error" in end ? end.error : undefined,
      replay: { ...this.#draw, faults: this.#plan.used, crashes: this.#crashes },
      requests: [...this.#store.requests],
      requestCount: requests,
      verdicts: typeof verdicts === "string" ? new Map() : verdicts,
      missing: ids.filter((id) => !stored.has(id) && !refused.has(id)),
      jumps: this.#clock.jumps,
    };
  }

  onJump(): void {
    const { jumps } = this.#clock;
    this.#limit("timers", jumps);
    this.#limit("requests", this.#network.requests);
    if (jumps === this.#killAt) this.#kill();
  }

  onStandstill(reason: string): void {
    this.#fail(reason);
  }

  /** Runs the scenario, and again after each kill. */
  async #live(scenario: Scenario): Promise<End> {
    const { lives } = this.#settings;
    const random = randomFrom(this.#draw.seed ^ 0x6c62272e);
    for (let restarts = 0; ; restarts++) {
      const life = new LifeClock(this.#clock, (error) => this.#stop(thrown(error)));
      const crash = this.#draw.crashes[restarts];
      const killed = new Promise<undefined>((resolve) => {
        this.#kill = () => {
          life.kill();
          resolve(undefined);
        };
      });
      this.#killAt = crash && this.#clock.jumps + crash;
      const world = this.#worldOf(life, restarts, random);
      const running = lives
        .run(life, async () => scenario(world))
        .then(
          (report): End => ({ report }),
          (error): End => thrown(error),
        );
      const end = await Promise.race([running, this.#stuck, killed]);
      if (end) return end;
      this.#crashes.push(crash as number);
      await new Promise<void>((resolve) => this.#clock.after(random() * RESTART_MS, resolve));
    }
  }

  #worldOf(life: LifeClock, restarts: number, random: () => number) {
    const store = Object.assign(this.#store, { clock: life });
    const { clientOptions } = store;
    const plants = deliver(this.#settings.plants, this.#draw);
    return { plants, clientOptions, store, clock: life, journal: this.#journal.open(life, random), restarts };
  }

  #judge(end: End, verdicts: Verdicts | string, facts: Facts): Problem | undefined {
    if ("problem" in end) return end.problem;
    const text = "error" in end ? checkDoubles(facts.stored) : this.#compare(verdicts, facts);
    return text === undefined ? undefined : { text };
  }

  /** Compares a report with what happened. Returns what is wrong. */
  #compare(verdicts: Verdicts | string, facts: Facts): string | undefined {
    if (typeof verdicts === "string") return verdicts;
    if (this.#network.requests === 0) return `it sent no request through clientOptions.fetch; ${UNSEEN}`;
    return checkReport(verdicts, facts);
  }

  #limit(name: keyof typeof LIMITS, count: number): void {
    const { least, perPlant } = LIMITS[name];
    const limit = least + perPlant * this.#settings.plants.length;
    if (count > limit) this.#fail(`it did not end after ${limit} ${name}`);
  }

  #fail(text: string): void {
    this.#stop({ problem: { text } });
  }
}

/** Right code may throw an error of the client. It is then only checked for doubles. */
function thrown(error: unknown): End {
  if (CLIENT_ERROR in Object(error)) return { error };
  return { problem: { text: `it threw ${describeThrown(error)}`, cause: error } };
}
