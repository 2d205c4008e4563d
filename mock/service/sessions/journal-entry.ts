import { decodeNewPlant } from "../../../src/contract/json.ts";
import { type NewPlant, validateNewPlant } from "../../../src/contract/plant.ts";
import type { ServiceRequest } from "../adapter.ts";
import { labelCredentials } from "../credentials.ts";
import type { Fault } from "../faults/fault.ts";
import type { RecordedRequest } from "../mock-plant-store.ts";
import type { Answer, Reply, WireReply } from "../reply.ts";
import { copyPlant } from "./plant-rows.ts";
import type { TokenLabels } from "./token-labels.ts";

/** One request on its way through the service. Cheap to make: what a test may want to read is made when it does. */
export class JournalEntry {
  readonly at = Date.now();
  readonly method: string;
  readonly path: string;
  /** The parameters of the path by name; absent if it has none. */
  readonly params: Readonly<Record<string, string>> | undefined;
  readonly headers: ServiceRequest["headers"];
  readonly token: string | undefined;
  /** The label of the token. */
  readonly label: string | undefined;
  /** The whole body until the exchange is settled, its beginning afterwards. `undefined` if it is ill-formed. */
  text: string | undefined;
  plant: NewPlant | undefined;
  fault: Fault | undefined;
  readonly #bytes: Uint8Array | undefined;
  readonly #labels: TokenLabels;
  readonly #startedAt = performance.now();
  #durationMs = 0;
  #answer: Answer | undefined;
  #isSettled = false;
  #view: Writable | undefined;

  constructor(request: ServiceRequest, params: JournalEntry["params"], token: string | undefined, labels: TokenLabels) {
    const { body } = request;
    this.method = request.method;
    this.path = request.path;
    this.params = params;
    this.headers = request.headers;
    this.token = token;
    this.label = token === undefined ? undefined : labels.of(token);
    this.text = typeof body === "string" ? body : decodeUtf8(body);
    this.#bytes = this.text === undefined ? (body as Uint8Array).slice(0, BODY_TEXT_LIMIT) : undefined;
    this.#labels = labels;
  }

  /** The plant in the body, also where the service does not look at the body. */
  readPlant(): NewPlant | undefined {
    if (this.plant === undefined && this.text !== undefined) this.plant = plantIn(this.text);
    return this.plant;
  }

  /** Ends the exchange: with an answer, delivered or not, or with none. */
  settle(answer: Answer | undefined): void {
    this.#isSettled = true;
    this.#answer = answer;
    this.#durationMs = performance.now() - this.#startedAt;
    if (this.text !== undefined && this.text.length > BODY_TEXT_LIMIT) this.text = beginning(this.text);
    if (this.#view !== undefined) this.#complete(this.#view);
  }

  /** The exchange as tests read it: always the same object, completed when the exchange is settled. */
  get view(): RecordedRequest {
    if (this.#view === undefined) {
      this.#view = this.#open();
      if (this.#isSettled) this.#complete(this.#view);
    }
    return this.#view as RecordedRequest;
  }

  #open(): Writable {
    const headers: Record<string, string> = {};
    for (const [name, value] of this.headers) headers[name.toLowerCase()] = value;
    const { authorization } = headers;
    if (authorization !== undefined) {
      headers.authorization = labelCredentials(authorization, (secret) => this.#labels.of(secret));
    }
    const text = this.text ?? lenient.decode(this.#bytes);
    const bodyText = text.length > BODY_TEXT_LIMIT ? beginning(text) : text;
    const view: Writable = { at: this.at, method: this.method, path: this.path, headers, bodyText };
    if (this.params !== undefined) view.params = this.params;
    if (this.label !== undefined) view.token = this.label;
    const plant = this.readPlant();
    if (plant !== undefined) view.plant = copyPlant(plant);
    return view;
  }

  #complete(view: Writable): void {
    if (this.fault !== undefined) view.fault = this.fault;
    if (this.#answer !== undefined) {
      view.status = this.#answer.status;
      view.reply = decodeReply(this.#answer);
      if (this.#answer.assumption !== undefined) view.assumption = this.#answer.assumption;
    }
    // Without a fault there is an answer.
    view.provenance = this.fault === undefined ? (this.#answer as Answer).provenance : "injected";
    view.durationMs = this.#durationMs;
  }
}

type Writable = { -readonly [Key in keyof RecordedRequest]: RecordedRequest[Key] } & {
  params?: Readonly<Record<string, string>>;
};

/** How much of a body a journal keeps, in characters. */
const BODY_TEXT_LIMIT = 16_384;

// A byte order mark is kept (that is what ignoreBOM means): the service has a word to say about it.
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The beginning of a long text as a text of its own: a slice would keep the whole one in memory. */
function beginning(text: string): string {
  return lenient.decode(new TextEncoder().encode(text.slice(0, BODY_TEXT_LIMIT)));
}

function plantIn(text: string): NewPlant | undefined {
  try {
    const result = validateNewPlant(decodeNewPlant(text));
    return result.issues ? undefined : result.value;
  } catch {
    return undefined;
  }
}

/** A wire reply as a test reads it: JSON is parsed. */
function decodeReply({ status, headers, body }: WireReply): Reply {
  const reply: Reply = { status, headers: {} };
  for (let i = 0; i < headers.length; i += 2) {
    (reply.headers as Record<string, string>)[(headers[i] as string).toLowerCase()] = headers[i + 1] as string;
  }
  if (body !== "") reply.body = body;
  if (reply.headers?.["content-type"] !== "application/json") return reply;
  try {
    reply.body = JSON.parse(body);
  } catch {
    // An injected body that only says it is JSON stays as it is.
  }
  return reply;
}
