import type { ChildProcess } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import type { Reporter, TestModule, Vitest } from "vitest/node";
import { STANDSTILL_MS } from "./time-limits.ts";

/**
 * Ends a run that hangs, and names the files that were running. A blocked worker cannot time out its own test, and Vitest
 * would wait for it forever.
 */
export class StandStill implements Reporter {
  readonly #limitMs: number;
  readonly #running = new Set<string>();
  readonly #workers = new Set<ChildProcess>();
  #isWatching = false;
  #timer: NodeJS.Timeout | undefined;

  /** @param silentMs - How much longer a test may be silent. */
  constructor(silentMs = 0) {
    this.#limitMs = STANDSTILL_MS + silentMs;
  }

  onInit({ config }: Vitest): void {
    this.#isWatching = config.watch;
    // Vitest does not expose its workers, and a blocked one ignores a request to end.
    subscribe("child_process", (message) => {
      const { process: worker } = message as { process: ChildProcess };
      this.#workers.add(worker);
      worker.once("exit", () => this.#workers.delete(worker));
    });
    this.#progress();
  }

  onTestModuleStart({ relativeModuleId }: TestModule): void {
    this.#running.add(relativeModuleId);
    this.#progress();
  }

  onTestModuleEnd({ relativeModuleId }: TestModule): void {
    this.#running.delete(relativeModuleId);
    this.#progress();
  }

  onTestModuleQueued(): void {
    this.#progress();
  }

  onTestModuleCollected(): void {
    this.#progress();
  }

  onTestCaseReady(): void {
    this.#progress();
  }

  onTestCaseResult(): void {
    this.#progress();
  }

  onTestRunEnd(): void {
    this.#progress();
  }

  #progress(): void {
    clearTimeout(this.#timer);
    // In watch mode, a completed run waits for a change.
    if (this.#isWatching) return;
    this.#timer = setTimeout(() => this.#end(), this.#limitMs).unref();
  }

  #end(): void {
    const files = this.#running.size > 0 ? [...this.#running].join(", ") : "no test file; a worker does not end";
    console.error(`\nNothing has happened for ${this.#limitMs / 1000} s. Running: ${files}. The run is ended.`);
    for (const worker of this.#workers) worker.kill("SIGKILL");
    process.exit(1);
  }
}
