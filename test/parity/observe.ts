import { PlantStoreClient } from "plant-store-client";
import type { Fault, MockClientOptions } from "plant-store-client/mock";
import { rows } from "./fault-rows.ts";
import { lateDeadline } from "./late-deadline.ts";

/** What a client reports for one fault, and then the mock. */
export interface Observed {
  readonly kind: string;
  readonly outcome: string;
  readonly isStored: boolean;
}

/** The members of a mock that the table needs: those of a mock in another process are asynchronous. */
export interface ObservedMock {
  readonly clientOptions: MockClientOptions;
  readonly plants: { has(id: number): boolean | Promise<boolean> };
  readonly requests: { readonly count: number | Promise<number> };
  inject(fault: Fault): void | Promise<void>;
  reset(): void | Promise<void>;
}

/** Creates one plant while the fault is on. Runs in Node and in a page. */
export async function observe(mock: ObservedMock, fault: Fault): Promise<Observed> {
  await mock.inject(fault);
  try {
    // Every other fault ends the call by itself, however slow the machine is.
    const timeoutMs = rows[fault.type].kind === "timeout" ? 100 : undefined;
    const clock = lateDeadline(timeoutMs, async () => (await mock.requests.count) > 0);
    const client = new PlantStoreClient({ ...mock.clientOptions, timeoutMs, maxRetries: 0, clock });
    const result = await client.tryCreatePlant({ id: 7, name: "Monstera deliciosa", tag: "Araceae" });
    const isStored = await mock.plants.has(7);
    if (result.ok) return { kind: "ok", outcome: "created", isStored };
    return { kind: result.error.kind, outcome: result.error.outcome, isStored };
  } finally {
    await mock.reset();
  }
}
