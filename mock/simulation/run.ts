import type { NewPlant } from "../../src/contract/plant.ts";
import { createMock } from "../memory/create-mock.ts";
import { createFetch } from "../memory/fetch.ts";
import { untilAborted } from "../memory/read-request-body.ts";
import type { Fault } from "../service/faults/fault-table.ts";
import type { MockPlantStoreOptions } from "../service/mock-options.ts";
import type {
  Fetch,
  MockClientOptions,
  MockPlantStore,
  RecordedRequest,
  VirtualMockPlantStore,
} from "../service/mock-plant-store.ts";
import { resolveOptions } from "../service/resolve-options.ts";
import type { Service } from "../service/service.ts";
import { randomFrom } from "../time/random.ts";
import { JumpingClock, type VirtualClock } from "../time/virtual-clock.ts";
import { FaultPlan, type PlannedFault } from "./fault-plan.ts";
import { replaceGlobals } from "./replaced-globals.ts";

/** The ids that the code under test reports, each of them once. */
export interface SimulatedReport {
  /** The plants that exist. */
  readonly created?: Iterable<number | bigint> | undefined;
  /** The plants that do not exist. */
  readonly failed?: Iterable<number | bigint> | undefined;
  /** The plants of which it is not known. */
  readonly unknown?: Iterable<number | bigint> | undefined;
}

/** What a scenario gets. */
export interface SimulatedWorld {
  /** The plants to create. */
  readonly plants: readonly NewPlant[];
  /** Options of a client of the mock: `new PlantStoreClient(clientOptions)`. */
  readonly clientOptions: MockClientOptions;
  /** The mock, new for each run. */
  readonly store: VirtualMockPlantStore;
  /** Its clock. */
  readonly clock: VirtualClock;
}

/** Code that creates plants, and reports the outcome of each. */
export type Scenario = (world: SimulatedWorld) => SimulatedReport | Promise<SimulatedReport>;

/** What a run is made of, besides its seed. */
export interface RunSettings {
  readonly plants: readonly NewPlant[];
  readonly types: readonly Fault["type"][];
  readonly permanent: boolean;
  readonly mock: MockPlantStoreOptions;
}

/** How a run ended. */
export interface RunResult {
  /** What is wrong; undefined if nothing is. */
  readonly problem: string | undefined;
  readonly faults: readonly PlannedFault[];
  readonly requests: readonly RecordedRequest[];
  /** Options of the mock that differ from the defaults. */
  readonly options: MockPlantStoreOptions;
}

/** A run with more requests than this, or that takes more virtual time, is taken to be endless. */
const MAX_REQUESTS = 2_000;
const MAX_TIME_MS = 24 * 60 * 60 * 1000;

/** Right code may throw an error of the client, such as after ten minutes of 503. It is then only checked for doubles. */
const CLIENT_ERROR = Symbol.for("plant-store-client.error");

/** Runs a scenario once against a new mock. */
export async function runOnce(
  scenario: Scenario,
  seed: number,
  settings: RunSettings,
  kept?: readonly PlannedFault[],
): Promise<RunResult> {
  const { plants, mock, ...kinds } = settings;
  const options = { ...drawOptions(seed), ...mock };
  const clock = new JumpingClock(seed, true);
  const network = new Network(new FaultPlan(seed, kinds, kept), clock);
  const resolved = { ...resolveOptions({ ...options, maxRecordedRequests: MAX_REQUESTS }), clock, virtualClock: clock };
  const store = createMock(resolved, true, (service) => network.fetchOf(service)).mock as VirtualMockPlantStore;
  const restore = replaceGlobals(clock);
  let problem: string | undefined;
  try {
    const running = async () => scenario({ plants, clientOptions: store.clientOptions, store, clock });
    const report = await Promise.race([running(), network.endless]);
    problem = typeof report === "string" ? report : checkReport(report, plants, store);
  } catch (error) {
    problem = CLIENT_ERROR in Object(error) ? doubled(store) : `it threw ${String(error)}`;
  } finally {
    restore();
    clock.stop();
  }
  return { problem, faults: network.plan.used, requests: [...store.requests], options };
}

function drawOptions(seed: number): MockPlantStoreOptions {
  const random = randomFrom(seed ^ 0x5bd1e995);
  const perSecond = 1 + Math.floor(random() * 20);
  return {
    ...(random() < 0.3 && { duplicateIds: "reject" as const }),
    ...(random() < 0.3 && { rateLimit: { perSecond } }),
  };
}

/** The network between the client and the mock. */
class Network {
  readonly plan: FaultPlan;
  /** Resolves with the problem of a run that does not end. */
  readonly endless: Promise<string>;
  readonly #clock: JumpingClock;
  #end!: (problem: string) => void;
  #requests = 0;

  constructor(plan: FaultPlan, clock: JumpingClock) {
    this.plan = plan;
    this.#clock = clock;
    this.endless = new Promise((resolve) => {
      this.#end = resolve;
    });
    clock.watch((reason) => this.#end(reason));
    clock.onJump = (now) => {
      if (now > MAX_TIME_MS) this.#end("it did not end within a day of virtual time");
    };
  }

  fetchOf(service: Service): Fetch {
    const deliver = createFetch(service);
    return async (url, init = {}) => {
      if (++this.#requests > MAX_REQUESTS) {
        this.#end(`it sent more than ${MAX_REQUESTS} requests`);
        // A loop without waits would go on for ever.
        return new Promise(() => {});
      }
      const { signal, body } = init;
      const { fault, latencyMs } = this.plan.next(idOf(body));
      const resume = this.#clock.pauseHoldOf({ signal, body });
      const travel = (ms: number) =>
        untilAborted(new Promise<void>((resolve) => this.#clock.after(ms, resolve)), signal);
      // A request that is on its way arrives even if its sender has given up.
      await travel(latencyMs[0]).catch((error) => {
        void deliver(url, { ...init, signal: null }).catch(() => {});
        throw error;
      });
      if (fault) service.begin(new Headers(init.headers).get("authorization")).session.inject(fault, undefined);
      const response = await deliver(url, init);
      await travel(latencyMs[1]);
      resume();
      return response;
    };
  }
}

/** The id in a request body, as text. */
function idOf(body: unknown): string {
  return /"id":(-?\d+)/.exec(`${body}`)?.[1] ?? "";
}

/** Compares what the scenario reported with what the mock has stored. */
function checkReport(report: SimulatedReport, plants: readonly NewPlant[], store: MockPlantStore): string | undefined {
  const stored = new Set([...store.plants].map(({ id }) => `${id}`));
  const reported = new Map<string, string[]>();
  for (const [verdict, ids] of Object.entries(report)) {
    for (const id of ids ?? []) reported.set(`${id}`, [...(reported.get(`${id}`) ?? []), verdict]);
  }
  for (const { id } of plants) {
    const verdicts = reported.get(`${id}`) ?? [];
    if (verdicts.length !== 1)
      return `plant ${id} was reported ${verdicts.join(" and ") || "neither as created nor failed nor unknown"}`;
    if (verdicts[0] === "created" && !stored.has(`${id}`)) return `plant ${id} was reported created, and is not stored`;
    if (verdicts[0] === "failed" && stored.has(`${id}`)) return `plant ${id} was reported failed, and is stored`;
  }
  return doubled(store);
}

function doubled({ plants }: MockPlantStore): string | undefined {
  const seen = new Set<number | bigint>();
  for (const { id } of plants) {
    if (seen.has(id)) return `plant ${id} is stored twice`;
    seen.add(id);
  }
  return undefined;
}
