import { relative } from "node:path";
import {
  type CreatePlantsPace,
  createPlants,
  isPlantStoreError,
  type NewPlant,
  type PlantStoreClient,
} from "plant-store-client";
import { Account } from "./account.ts";
import { onInterrupt, type Stop } from "./interrupt.ts";
import { Output } from "./output.ts";
import { createProgress } from "./progress.ts";
import type { PlantList } from "./read-list.ts";
import type { Store } from "./store.ts";
import { summarize, summarizeSent } from "./summary.ts";

/** How many plants are in flight at the same time. */
const CONCURRENCY = 16;
/** The time for plants in flight after Ctrl-C, before they are aborted. */
const GRACE_MS = 5_000;
/** After this many consecutive failures that the list does not explain, the next plant would fail as well. */
const GIVE_UP_AFTER = 10;

const BROKE_OFF = "The list could not be read to its end";
const GAVE_UP = "The import ended early, because the service did not let it go on";

/** One import of a list into a store. */
export class Import {
  readonly #list: PlantList;
  readonly #account: Account;
  readonly #output = new Output((stop) => this.#stop(stop));
  readonly #showProgress = createProgress(this.#output);
  readonly #aborter = new AbortController();
  #stopped: Stop | undefined;

  constructor(list: PlantList) {
    this.#list = list;
    this.#account = new Account(list.unit);
  }

  /**
   * Creates the plants of the list, and reports the result of each row on standard output.
   *
   * @returns the exit status.
   */
  async run({ name, client }: Store): Promise<number> {
    const startedAt = performance.now();
    const ignoreInterrupts = onInterrupt(
      (stop) => this.#stop(stop),
      (stop) => this.#quit(stop),
    );
    this.#output.line(`Importing ${shortest(this.#list.file)} into ${name}`);
    const failure = await this.#createAll(client);
    ignoreInterrupts();
    if (failure !== undefined && this.#account.isEmpty) throw failure;
    await this.#output.lines(summarize(this.#account, performance.now() - startedAt));
    return this.#conclude(failure);
  }

  /** @returns the error of reading the list, or of waiting for the service, if there was one. */
  async #createAll(client: PlantStoreClient): Promise<unknown> {
    try {
      const onPace = (pace: CreatePlantsPace) => this.#showPause(pace);
      const options = { concurrency: CONCURRENCY, signal: this.#aborter.signal, onPace };
      for await (const result of createPlants(client, this.#plants(), options)) {
        this.#account.settle(result);
        this.#showProgress(this.#account);
        if (this.#account.failuresInARow >= GIVE_UP_AFTER) {
          this.#stop({ reason: `${GIVE_UP_AFTER} failures in a row`, status: 1 });
        }
      }
    } catch (error) {
      if (!this.#aborter.signal.aborted) return error;
    } finally {
      // Every plant that was sent has its result now: the others were read and not sent.
      this.#account.inFlight.clear();
    }
    return undefined;
  }

  /** The plants of the list, up to its end or until the import is stopped; bad rows go to the account. */
  async *#plants(): AsyncGenerator<NewPlant> {
    let index = 0;
    for await (const row of this.#list.rows) {
      if (this.#stopped) return;
      this.#account.noteUnknown(row.unknownColumns ?? []);
      if ("problem" in row) {
        this.#account.badRows.push({ row: row.number, reason: row.problem });
        continue;
      }
      this.#account.inFlight.set(index++, row.number);
      yield row.plant;
    }
  }

  #showPause({ pausedUntilMs, ratePerSecond }: CreatePlantsPace): void {
    if (pausedUntilMs === undefined) return;
    const seconds = Math.max(1, Math.round((pausedUntilMs - Date.now()) / 1000));
    const rate = ratePerSecond === undefined ? "" : `, then at most ${Math.max(1, Math.round(ratePerSecond))} a second`;
    this.#output.line(
      `The service limits requests: a pause of ${seconds} s after ${this.#account.settled} plants${rate}`,
    );
  }

  /** Sends nothing new. Plants in flight get some time, because the result of an aborted one is unknown. */
  #stop(stop: Stop): void {
    if (this.#stopped) return;
    this.#stopped = stop;
    this.#output.line(
      `Stopping (${stop.reason}): ${this.#account.inFlight.size} plants in flight get ${GRACE_MS / 1000} s to finish`,
    );
    setTimeout(() => this.#aborter.abort(new Error(stop.reason)), GRACE_MS).unref();
  }

  #quit({ status }: Stop): void {
    for (const line of summarizeSent(this.#account)) this.#output.line(line);
    process.exit(status);
  }

  #conclude(failure: unknown): number {
    if (failure !== undefined)
      this.#output.line(`\n${isPlantStoreError(failure) ? GAVE_UP : BROKE_OFF}: ${String(failure)}`);
    if (failure !== undefined || this.#stopped) {
      for (const line of summarizeSent(this.#account)) this.#output.line(line);
    }
    if (this.#stopped) return this.#stopped.status;
    const { created, failed, unknown, isEmpty } = this.#account;
    const isInVain = created.length === 0 && !isEmpty;
    if (failure === undefined && failed.length + unknown.length === 0 && !isInVain) return 0;
    this.#output.line(`\nExit status 1: ${isInVain ? "no plant was created" : "some plants failed, or may exist"}`);
    return 1;
  }
}

/** A path as a person would write it. */
function shortest(file: string): string {
  const path = relative("", file);
  return path.startsWith("..") ? file : path;
}
