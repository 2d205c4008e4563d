import { decodeNewPlant } from "../../../src/contract/json.ts";
import { type NewPlant, validateNewPlant } from "../../../src/contract/plant.ts";
import type { RequestHeaders, ServiceRequest } from "../adapter.ts";
import { labelCredentials } from "../credentials.ts";
import type { Fault } from "../faults/fault.ts";
import { shortenFault } from "../faults/shorten-fault.ts";
import type { LoggedRequest, RecordedRequest } from "../mock-plant-store.ts";
import type { Answer } from "../reply.ts";
import { beginning, decodeReply, decodeUtf8, decodeUtf8Leniently } from "./body-text.ts";
import type { ByteBudget, Holder } from "./byte-budget.ts";
import { copyPlant } from "./plant-rows.ts";
import type { TokenLabels } from "./token-labels.ts";

/** One request in the service. Cheap to create: the form that tests read is computed on demand. */
export class JournalEntry implements Holder {
  readonly at = Date.now();
  readonly method: string;
  path: string;
  /** The path parameters by name; absent if the path has none. */
  readonly params: Readonly<Record<string, string>> | undefined;
  headers: RequestHeaders;
  /** The label of the token. */
  readonly label: string | undefined;
  /** The whole body until the request is over, then only its beginning; `undefined` if it is not valid UTF-8. */
  text: string | undefined;
  plant: NewPlant | undefined;
  fault: Fault | undefined;
  #bytes: Uint8Array | undefined;
  readonly #labels: TokenLabels;
  readonly #startedAt = performance.now();
  #durationMs = 0;
  #answer: Partial<Answer> | undefined;
  #isSettled = false;
  #isDropped = false;
  #isRead = false;
  #view: Writable | undefined;
  #budgets: readonly ByteBudget[] = [];
  #hasLeft = false;
  #onLeave: (() => void)[] | undefined;

  constructor(request: ServiceRequest, params: JournalEntry["params"], token: string | undefined, labels: TokenLabels) {
    const { body } = request;
    this.method = request.method;
    this.path = request.path;
    this.params = params;
    this.headers = request.headers;
    this.label = token === undefined ? undefined : labels.of(token);
    this.text = typeof body === "string" ? body : decodeUtf8(body);
    this.#bytes = this.text === undefined ? (body as Uint8Array).slice(0, BODY_TEXT_LIMIT) : undefined;
    this.#labels = labels;
  }

  /** The plant in the body, even if the service has not read the body. */
  readPlant(): NewPlant | undefined {
    if (this.plant === undefined && this.text !== undefined && !this.#isRead) this.plant = plantIn(this.text);
    this.#isRead = true;
    return this.plant;
  }

  /** Records the end of the request: with a response, delivered or not, or with none. */
  settle(answer: Answer | undefined): void {
    this.#isSettled = true;
    this.#answer = answer;
    this.#durationMs = performance.now() - this.#startedAt;
    if (this.text !== undefined && this.text.length > BODY_TEXT_LIMIT)
      this.text = beginning(this.text, BODY_TEXT_LIMIT);
    if (this.#view !== undefined) this.#complete(this.#view);
    for (const budget of this.#budgets) budget.add(this);
    for (const budget of this.#budgets) budget.trim();
  }

  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** Whether the client has disconnected. */
  get hasLeft(): boolean {
    return this.#hasLeft;
  }

  /** Records that the client has disconnected, and ends every wait of this request. */
  leave(): void {
    this.#hasLeft = true;
    for (const callback of this.#onLeave ?? []) callback();
    this.#onLeave = undefined;
  }

  onLeave(callback: () => void): void {
    this.#onLeave ??= [];
    this.#onLeave.push(callback);
  }

  /** Counts the bytes of the entry, once it is settled, against these budgets. */
  keep(budgets: readonly ByteBudget[]): void {
    this.#budgets = budgets;
  }

  /** Removes the entry from its budgets: the journal no longer keeps it. */
  forget(): void {
    for (const budget of this.#budgets) budget.remove(this);
    this.#budgets = [];
  }

  /** Its approximate size in memory: a character counts as two bytes. */
  get bytes(): number {
    const { path, text, plant, headers, fault } = this;
    const inPlant = plant === undefined ? 0 : plant.name.length + (plant.tag?.length ?? 0);
    const { headers: answerHeaders = [], body = "" } = this.#answer ?? {};
    const inAnswer = answerHeaders.reduce((sum, part) => sum + part.length, body.length);
    // A fault repeats the response that it causes: both are kept.
    const characters = path.length + (text?.length ?? BODY_TEXT_LIMIT) + inPlant + inAnswer * (fault ? 2 : 1);
    return characters * 2 + (headers.size ?? 0);
  }

  drop(): void {
    this.forget();
    this.#isDropped = true;
    // A view that a test already holds stays complete.
    this.#view = undefined;
    this.#bytes = undefined;
    this.path = beginning(this.path, DROPPED_PATH_LIMIT);
    this.text = "";
    this.plant = undefined;
    this.headers = new Map();
    if (this.fault !== undefined) this.fault = shortenFault(this.fault);
    if (this.#answer === undefined) return;
    const { status, provenance, assumption } = this.#answer as Answer;
    this.#answer = { status, provenance, assumption };
  }

  /** The request as tests read it: always the same object, completed when the request is over. */
  get view(): RecordedRequest {
    if (this.#view === undefined) {
      this.#view = this.#createView();
      if (this.#isSettled) this.#complete(this.#view);
    }
    return this.#view as RecordedRequest;
  }

  /** The request as logs read it, once it is over. Does not parse a body that the service did not read. */
  get logged(): LoggedRequest {
    const { at, method, path, label, plant } = this;
    const logged: { -readonly [Key in keyof LoggedRequest]: LoggedRequest[Key] } = { at, method, path };
    if (label !== undefined) logged.token = label;
    if (plant !== undefined) logged.plant = plant;
    this.#addOutcome(logged);
    const reason = this.#reason;
    if (reason !== undefined) logged.reason = reason;
    return logged;
  }

  /** The message of an error response. */
  get #reason(): string | undefined {
    const { status = 0, body } = this.#answer ?? {};
    if (status < 400 || body === undefined) return undefined;
    const { message } = Object(decodeReply(this.#answer as Answer).body) as { message?: unknown };
    return typeof message === "string" ? message : undefined;
  }

  #createView(): Writable {
    const headers: Record<string, string> = {};
    for (const [name, value] of this.headers) headers[name.toLowerCase()] = value;
    const { authorization } = headers;
    if (authorization !== undefined) {
      headers.authorization = labelCredentials(authorization, (secret) => this.#labels.of(secret));
    }
    const bodyText = beginning(this.text ?? decodeUtf8Leniently(this.#bytes), BODY_TEXT_LIMIT);
    const view: Writable = { at: this.at, method: this.method, path: this.path, headers, bodyText };
    if (this.#isDropped) view.isDropped = true;
    if (this.params !== undefined) view.params = this.params;
    if (this.label !== undefined) view.token = this.label;
    const plant = this.readPlant();
    if (plant !== undefined) view.plant = copyPlant(plant);
    return view;
  }

  #complete(view: Writable): void {
    this.#addOutcome(view);
    if (this.#answer?.body !== undefined) view.reply = decodeReply(this.#answer as Answer);
  }

  /** If the client has disconnected, there may be neither a response nor a fault. */
  #addOutcome(target: Partial<Writable>): void {
    const answer = this.#answer;
    if (this.fault !== undefined) target.fault = this.fault;
    if (answer?.status !== undefined) target.status = answer.status;
    if (answer?.assumption !== undefined) target.assumption = answer.assumption;
    const provenance = this.fault === undefined ? answer?.provenance : "injected";
    if (provenance !== undefined) target.provenance = provenance;
    target.durationMs = this.#durationMs;
  }
}

type Writable = { -readonly [Key in keyof RecordedRequest]: RecordedRequest[Key] };

/** How many characters of a body the journal keeps. */
export const BODY_TEXT_LIMIT = 16_384;

/** How many characters of its path a dropped entry keeps. */
const DROPPED_PATH_LIMIT = 1_000;

function plantIn(text: string): NewPlant | undefined {
  try {
    const result = validateNewPlant(decodeNewPlant(text));
    return result.issues ? undefined : result.value;
  } catch {
    return undefined;
  }
}
