import type { ValidNewPlant } from "../../../src/contract/plant.ts";
import { rowOf } from "../faults/check-fault.ts";
import type { Fault, FaultRow } from "../faults/fault-table.ts";
import type { RecordedRequest } from "../mock-plant-store.ts";
import { BODY_TEXT_LIMIT, beginning, RequestBody, type RequestHeaders, type ServiceRequest } from "../request.ts";
import type { AssumptionName, Provenance, ServiceReply, Source } from "../service-reply.ts";
import type { TokenLabels } from "../token-labels.ts";
import { headerPairs, isTooDeep, type Reply } from "../wire-reply.ts";

/** One request in the service. Cheap to create: the form that tests read is computed on demand. */
export class RequestRecord {
  /** The position among the requests of its session, from 1 since those were cleared; {@link RecordedRequests} sets it. */
  number = 0;
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly headers: RequestHeaders;
  readonly body: RequestBody;
  readonly token: string | undefined;
  /** The fault that affected it, in short. */
  fault: Fault | undefined;
  /** The number of that fault in its session. */
  faultNumber: number | undefined;
  /** The status of the response, if there is one. */
  status: number | undefined;
  /** Absent until the request is over. */
  durationMs: number | undefined;
  /** Whether the client has disconnected. */
  hasLeft = false;
  readonly #labels: TokenLabels;
  #replyHeaders: readonly string[] = NONE;
  #replyBody = "";
  #source: Source | undefined;
  #onLeave: (() => void)[] | undefined;

  constructor(request: ServiceRequest, at: number, token: string | undefined, labels: TokenLabels) {
    this.at = at;
    this.method = request.method;
    this.path = request.path;
    this.headers = request.headers;
    this.body = new RequestBody(request.body);
    this.token = token;
    this.#labels = labels;
  }

  get plant(): ValidNewPlant | undefined {
    return this.body.plant;
  }

  /** Records the end of the request: with a response, delivered or not, or with none. */
  finish(reply: ServiceReply | undefined, durationMs: number): void {
    // Single fields: an object for each would be kept a thousand times.
    if (reply !== undefined) {
      this.status = reply.status;
      this.#replyHeaders = reply.headers;
      this.#replyBody = beginning(reply.body, BODY_TEXT_LIMIT);
      this.#source = reply.source;
    }
    this.durationMs = Math.round(durationMs * 1000) / 1000;
    this.body.shorten();
  }

  /** Records that the client has disconnected, and ends every wait of this request. */
  leave(): void {
    this.hasLeft = true;
    for (const callback of this.#onLeave ?? []) callback();
    this.#onLeave = undefined;
  }

  onLeave(callback: () => void): void {
    this.#onLeave ??= [];
    this.#onLeave.push(callback);
  }

  /** The request as tests read it. If the client has disconnected, there may be neither a response nor a fault. */
  get view(): RecordedRequest {
    const headers = named(this.headers);
    if (headers.authorization !== undefined) headers.authorization = this.#labels.redact(headers.authorization);
    const { number, at, method, path, token, plant } = this;
    const { fault, status, assumption, provenance, durationMs } = this;
    return present<RecordedRequest>({
      ...{ number, at, method, path, headers, bodyText: this.body.shown, token },
      plant: plant && { ...plant },
      ...{ fault, status, reply: this.#readReply(), provenance, assumption, durationMs },
    });
  }

  get assumption(): AssumptionName | undefined {
    return this.#source?.assumption;
  }

  get provenance(): Provenance | undefined {
    return this.fault === undefined ? this.#source?.provenance : "injected";
  }

  /** What of the response a fault keeps from the client. */
  get loses(): FaultRow["loses"] {
    return this.fault && rowOf(this.fault).loses;
  }

  /** The message of an error response. */
  get reason(): string | undefined {
    if (this.status === undefined || this.status < 400) return undefined;
    const { message } = Object(this.#readReply()?.body) as { message?: unknown };
    return typeof message === "string" ? message : undefined;
  }

  /** The response as a test reads it: with parsed JSON. Only the beginning of a long body is kept, as text. */
  #readReply(): Reply | undefined {
    if (this.status === undefined) return undefined;
    const headers = named(headerPairs(this.#replyHeaders));
    const reply: Reply = { status: this.status, headers };
    if (this.#replyBody !== "") reply.body = this.#replyBody;
    if (headers["content-type"] !== "application/json") return reply;
    try {
      const parsed: unknown = JSON.parse(this.#replyBody);
      if (!isTooDeep(parsed)) reply.body = parsed;
    } catch {
      // An injected body with the wrong Content-Type stays text, as does the beginning of a long one.
    }
    return reply;
  }
}

/** A copy without the fields that are `undefined`. */
function present<Fields extends object>(fields: { [Name in keyof Fields]: Fields[Name] | undefined }): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}

/** Headers by lower-case name. */
function named(headers: Iterable<readonly [name: string, value: string]>): Record<string, string> {
  return Object.fromEntries(Array.from(headers, ([name, value]) => [name.toLowerCase(), value]));
}

const NONE: readonly string[] = [];
