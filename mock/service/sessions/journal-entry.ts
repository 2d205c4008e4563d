import { decodeNewPlant } from "../../../src/contract/json.ts";
import { type NewPlant, validateNewPlant } from "../../../src/contract/plant.ts";
import type { RequestHeaders, ServiceRequest } from "../adapter.ts";
import type { AssumptionName } from "../assumptions.ts";
import { labelCredentials } from "../credentials.ts";
import type { Fault } from "../faults/fault.ts";
import { shortenFault } from "../faults/shorten-fault.ts";
import type { LoggedRequest, RecordedRequest } from "../mock-plant-store.ts";
import type { Answer, Provenance, Reply, Source, WireReply } from "../reply.ts";
import { beginning, decodeReply, decodeUtf8, decodeUtf8Leniently } from "./body-text.ts";
import { BODY_TEXT_LIMIT } from "./body-text-limit.ts";
import type { Kept } from "./byte-budget.ts";
import type { TokenLabels } from "./token-labels.ts";

/** One request in the service. Cheap to create: the form that tests read is computed on demand. */
export class JournalEntry implements LoggedRequest, Kept {
  /** The position in its journal, counted from 1 since that was cleared; the journal sets it. */
  number = 0;
  /** How many bytes its journal counts: 0 until the request is over, and if it was dropped; the journal sets it. */
  bytes = 0;
  keeper: Kept["keeper"];
  previous: Kept | undefined;
  next: Kept | undefined;
  /** The position among all requests in this process. Unlike the time, it never decreases. */
  readonly sequence = ++arrived;
  readonly at = Date.now();
  readonly method: string;
  path: string;
  /** The path parameters by name; absent if the path has none. */
  readonly params: Readonly<Record<string, string>> | undefined;
  headers: RequestHeaders;
  /** The label of the token. */
  readonly token: string | undefined;
  fault: Fault | undefined;
  /** The status of the response, if there is one. */
  status: number | undefined;
  /** The whole body until the request is over, then only its beginning. Bytes only if they are not valid UTF-8. */
  #body: string | Uint8Array;
  /** Absent until it is read; `null` if the body has none, or if it is not kept. */
  #plant: NewPlant | null | undefined;
  readonly #labels: TokenLabels;
  #durationUs: number | undefined;
  #replyHeaders: WireReply["headers"] = NONE;
  #replyBody = "";
  #source: Source | undefined;
  #isDropped = false;
  #view: Writable | undefined;
  #hasLeft = false;
  #onLeave: (() => void)[] | undefined;

  constructor(request: ServiceRequest, params: JournalEntry["params"], token: string | undefined, labels: TokenLabels) {
    const { body } = request;
    this.method = request.method;
    this.path = request.path;
    this.params = params;
    this.headers = request.headers;
    this.token = token === undefined ? undefined : labels.of(token);
    // A copy: `slice` of a Buffer would keep the whole body in memory.
    this.#body =
      typeof body === "string" ? body : (decodeUtf8(body) ?? new Uint8Array(body.subarray(0, BODY_TEXT_LIMIT)));
    this.#labels = labels;
  }

  /** The body as it was sent; only its beginning once the request is over. Bytes only if they are not valid UTF-8. */
  get body(): string | Uint8Array {
    return this.#body;
  }

  /** The body; `undefined` if it is not valid UTF-8. */
  get text(): string | undefined {
    return typeof this.#body === "string" ? this.#body : undefined;
  }

  /** The plant in the body, even if the service has not read the body. A rejected one is not kept if the body is long. */
  get plant(): NewPlant | undefined {
    return this.#readPlant() ?? undefined;
  }

  /** Records the end of the request: with a response, delivered or not, or with none. */
  settle(answer: Answer | undefined, durationMs: number): void {
    // Single fields: of an object for each, the journal would keep a thousand.
    if (answer !== undefined) {
      this.status = answer.status;
      this.#replyHeaders = answer.headers;
      this.#replyBody = answer.body;
      this.#source = answer.source;
    }
    this.#durationUs = Math.round(durationMs * 1000);
    if (this.text !== undefined && this.text.length > BODY_TEXT_LIMIT) {
      // The plant needs the whole text. That of a rejected request is not kept: nothing bounds how long it is.
      if (answer !== undefined && answer.status < 400) this.#readPlant();
      else this.#plant = null;
      this.#body = beginning(this.text, BODY_TEXT_LIMIT);
    }
    if (this.#view !== undefined) this.#complete(this.#view);
  }

  get isSettled(): boolean {
    return this.#durationUs !== undefined;
  }

  /** Absent until the request is over. */
  get durationMs(): number | undefined {
    return this.#durationUs === undefined ? undefined : this.#durationUs / 1000;
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
    if (this.#hasLeft) {
      callback();
      return;
    }
    this.#onLeave ??= [];
    this.#onLeave.push(callback);
  }

  /** The approximate size in memory: a character counts as two bytes. */
  countBytes(): number {
    const { path, headers, fault } = this;
    const inPlant = this.#plant ? this.#plant.name.length + (this.#plant.tag?.length ?? 0) : 0;
    const inReply = this.#replyHeaders.reduce((sum, part) => sum + part.length, this.#replyBody.length);
    // A fault repeats the response that it causes: both are kept.
    const characters = path.length + this.#body.length + inPlant + inReply * (fault ? 2 : 1);
    return characters * 2 + (headers.size ?? 0);
  }

  drop(): void {
    this.bytes = 0;
    this.#isDropped = true;
    // A view that a test already holds stays complete.
    this.#view = undefined;
    this.path = beginning(this.path, DROPPED_PATH_LIMIT);
    this.#body = "";
    this.#plant = undefined;
    this.headers = new Map();
    if (this.fault !== undefined) this.fault = shortenFault(this.fault);
    this.#replyHeaders = NONE;
    this.#replyBody = "";
  }

  /** The request as tests read it: always the same object, completed when the request is over. */
  get view(): RecordedRequest {
    if (this.#view === undefined) {
      this.#view = this.#createView();
      if (this.isSettled) this.#complete(this.#view);
    }
    return this.#view as RecordedRequest;
  }

  get assumption(): AssumptionName | undefined {
    return this.#source?.assumption;
  }

  get provenance(): Provenance | undefined {
    return this.fault === undefined ? this.#source?.provenance : "injected";
  }

  /** The message of an error response. */
  get reason(): string | undefined {
    if (this.status === undefined || this.status < 400) return undefined;
    const { message } = Object(this.#readReply()?.body) as { message?: unknown };
    return typeof message === "string" ? message : undefined;
  }

  #readPlant(): NewPlant | null {
    if (this.#plant === undefined) this.#plant = plantIn(this.text ?? "");
    return this.#plant;
  }

  /** The response; `undefined` if there was none, or if the entry was dropped. */
  #readReply(): Reply | undefined {
    const { status } = this;
    if (status === undefined || this.#isDropped) return undefined;
    return decodeReply({ status, headers: this.#replyHeaders, body: this.#replyBody });
  }

  #createView(): Writable {
    // Not by assignment, which would lose a header named `__proto__`.
    const headers = Object.fromEntries([...this.headers].map(([name, value]) => [name.toLowerCase(), value]));
    const { authorization } = headers;
    if (authorization !== undefined) {
      headers.authorization = labelCredentials(authorization, (secret) => this.#labels.of(secret));
    }
    const body = this.#body;
    const bodyText = beginning(typeof body === "string" ? body : decodeUtf8Leniently(body), BODY_TEXT_LIMIT);
    const { at, method, path, params, token, plant } = this;
    const isDropped = this.#isDropped || undefined;
    return present({ at, method, path, headers, bodyText, isDropped, params, token, plant: plant && { ...plant } });
  }

  /** If the client has disconnected, there may be neither a response nor a fault. */
  #complete(view: Writable): void {
    const { fault, status, assumption, provenance, durationMs } = this;
    Object.assign(view, present({ fault, status, assumption, provenance, durationMs, reply: this.#readReply() }));
  }
}

type Writable = { -readonly [Key in keyof RecordedRequest]: RecordedRequest[Key] };

/** How many requests have arrived in this process. */
let arrived = 0;

/** A copy without the fields that are `undefined`. */
function present<Fields extends object>(fields: { [Name in keyof Fields]: Fields[Name] | undefined }): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}

const NONE: readonly string[] = [];

/** How many characters of its path a dropped entry keeps. */
const DROPPED_PATH_LIMIT = 1_000;

function plantIn(text: string): NewPlant | null {
  try {
    const result = validateNewPlant(decodeNewPlant(text));
    return result.issues ? null : result.value;
  } catch {
    return null;
  }
}
