import type { ValidNewPlant } from "../../src/contract/plant.ts";
import type { Network } from "../memory/fetch.ts";
import { untilAborted } from "../memory/read-request-body.ts";
import type { Signal } from "../memory/response.ts";
import type { Fault } from "../service/faults/fault-table.ts";
import { RequestBody, type ServiceRequest } from "../service/request.ts";
import type { ServiceObserver } from "../service/resolve-options.ts";
import { type Random, randomFrom } from "../time/clock.ts";
import type { Lives } from "../time/life.ts";
import type { FaultPlan } from "./fault-plan.ts";

/** The network of one run, and what it saw: ids as text, empty if a request has no plant. */
export class SimulatedNetwork implements Network, ServiceObserver {
  /** How often each plant was stored. */
  readonly stored = new Map<string, number>();
  /** The plants that the mock has refused. */
  readonly refused = new Set<string>();
  /** The plants that were sent. */
  readonly sent = new Set<string>();
  requests = 0;
  readonly #plan: FaultPlan;
  readonly #findLife: Lives["find"];
  readonly #random: Random;

  /** @param findLife - Finds the life that sends: none in a browser after the run. */
  constructor(plan: FaultPlan, seed: number, findLife: Lives["find"]) {
    this.#plan = plan;
    this.#findLife = findLife;
    this.#random = randomFrom(seed ^ 0x1b873593);
  }

  transmit(
    request: ServiceRequest,
    signal: Signal,
    respond: (signal: Signal) => Response | Promise<Response>,
  ): Promise<Response> {
    const life = this.#findLife();
    // Nothing that a life sends after its end arrives.
    if (!life || life.isOver) return new Promise(() => {});
    this.requests++;
    const id = idOf(new RequestBody(request.body).plant);
    this.sent.add(id);
    const response = life.atRisk(this.#plan.nextLatencyMs(id), this.#random, async () => {
      // A request that is on its way arrives even if its sender has given up.
      const delivered = await respond(signal?.aborted ? undefined : signal);
      if (delivered.status >= 400) this.refused.add(id);
      await new Promise<void>((resolve) => life.after(this.#plan.nextLatencyMs(id), resolve));
      return delivered;
    });
    return untilAborted(response, signal);
  }

  drawFault(plant: ValidNewPlant | undefined): Fault | undefined {
    return this.#plan.nextFault(idOf(plant));
  }

  onStored(plant: ValidNewPlant): void {
    const id = idOf(plant);
    this.stored.set(id, (this.stored.get(id) ?? 0) + 1);
  }
}

function idOf(plant: ValidNewPlant | undefined): string {
  return plant ? `${plant.id}` : "";
}
