import { CREATE_PLANT } from "../../src/contract/operations.ts";
import type { PlantStoreService, RequestSession, ServiceRequest } from "./adapter.ts";
import { answer, type Call, DECLARED } from "./answer.ts";
import { assumptions } from "./assumptions.ts";
import { type Credentials, readCredentials } from "./credentials.ts";
import { type AdapterName, type Delivery, NETWORK_ERROR } from "./delivery.ts";
import { checkAdapters } from "./faults/check-fault.ts";
import { definitionOf, type Fault } from "./faults/fault.ts";
import type { RecordedRequest } from "./mock-plant-store.ts";
import type { Choices } from "./options.ts";
import type { Answer } from "./reply.ts";
import { Exchange } from "./sessions/exchange.ts";
import type { SessionState } from "./sessions/session-state.ts";
import { Slots } from "./sessions/slots.ts";
import { TokenLabels } from "./sessions/token-labels.ts";

/** The service in plain data, for every form of the mock. No Request and no Response: building those is slow. */
export class Service implements PlantStoreService {
  readonly choices: Choices;
  readonly labels = new TokenLabels();
  readonly slots: Slots;
  readonly #adapters: AdapterName[] = [];
  readonly #observers = new Set<(request: RecordedRequest) => void>();
  readonly #origin: string;
  readonly #plantsPath: string;
  #lastHeader: string | null | undefined;
  #lastCredentials: Credentials = readCredentials(undefined);

  constructor(choices: Choices) {
    this.choices = choices;
    this.#origin = new URL(choices.baseUrl).origin;
    this.#plantsPath = `${choices.baseUrl.slice(this.#origin.length)}${CREATE_PLANT.path}`;
    this.slots = new Slots(choices);
  }

  get baseUrl(): string {
    return this.choices.baseUrl;
  }

  get maxBodyBytes(): number {
    return this.choices.maxBodyBytes;
  }

  begin(authorization: string | null | undefined): SessionState {
    return this.slots.of(this.#credentials(authorization).token).state;
  }

  receive(request: ServiceRequest, session: RequestSession): Delivery | Promise<Delivery> {
    const state = session as SessionState;
    if (state.isOver) return NETWORK_ERROR;
    const credentials = this.#credentials(request.headers.get("authorization"));
    const exchange = new Exchange(request, credentials.token, this.labels);
    state.journal.push(exchange);
    const { choices } = this;
    const plantsPath = this.#plantsPath;
    const call: Call = { exchange, credentials, body: request.body, state, choices, plantsPath, success: DECLARED };
    if (state.gates.size > 0) return state.passGates(exchange).then(() => this.#proceed(call));
    return state.faults.isEmpty ? this.#reply(call) : this.#proceed(call);
  }

  pathOf(url: string): string | undefined {
    const { baseUrl } = this.choices;
    if (!url.startsWith(baseUrl)) return undefined;
    const end = url.indexOf("#");
    const path = url.slice(this.#origin.length, end < 0 ? undefined : end);
    const next = path.charAt(baseUrl.length - this.#origin.length);
    return next === "" || next === "/" || next === "?" ? path : undefined;
  }

  complainOfOutside(method: string, url: string, session: RequestSession): void {
    (session as SessionState).complaints.add(
      `${method} ${url} is outside the base URL ${this.baseUrl}`,
      "give the client the baseUrl of the mock, or say with the option `outside` where such requests go",
    );
  }

  observe(listener: (request: RecordedRequest) => void): () => void {
    this.#observers.add(listener);
    return () => this.#observers.delete(listener);
  }

  attach(adapter: AdapterName): () => void {
    for (const { state } of this.slots) {
      for (const { fault } of state.faults.queued) checkAdapters(fault, [adapter]);
    }
    this.#adapters.push(adapter);
    let isAttached = true;
    return () => {
      if (isAttached) this.#adapters.splice(this.#adapters.indexOf(adapter), 1);
      isAttached = false;
    };
  }

  /** Refuses a fault that an adapter in use cannot reproduce. */
  checkAdapters(fault: Fault): void {
    checkAdapters(fault, this.#adapters);
  }

  close(): void {
    for (const slot of this.slots) this.slots.dispose(slot);
  }

  /** Most requests carry the header of the one before. */
  #credentials(authorization: string | null | undefined): Credentials {
    if (authorization === this.#lastHeader) return this.#lastCredentials;
    this.#lastHeader = authorization;
    this.#lastCredentials = readCredentials(authorization);
    return this.#lastCredentials;
  }

  /** Goes on behind the gates. */
  #proceed(call: Call): Delivery | Promise<Delivery> {
    const { exchange, state } = call;
    if (state.isOver) return NETWORK_ERROR;
    const fault = state.faults.take(exchange, (problem, mend) => state.complaints.add(problem, mend));
    if (fault === undefined) return this.#reply(call);
    exchange.fault = fault;
    return definitionOf(fault).apply(fault, {
      get isOver() {
        return state.isOver;
      },
      answer: () => this.#answer(call),
      settle: (settled) => this.#settle(call, settled),
      wait: (ms) => state.wait(ms),
    });
  }

  #reply(call: Call): Answer {
    const reply = this.#answer(call);
    this.#settle(call, reply);
    return reply;
  }

  #answer(call: Call): Answer {
    const reply = answer(call);
    const { assumption } = reply;
    const isUnmatched = assumption === "notFound" || assumption === "methodNotAllowed";
    if (assumption !== undefined && (isUnmatched || this.choices.strict)) {
      const { method, path } = call.exchange;
      call.state.complaints.add(
        isUnmatched
          ? `${method} ${path} was answered with ${reply.status}: the service has no such operation`
          : `strict: ${method} ${path} was answered by the assumption "${assumption}"`,
        isUnmatched
          ? `send ${CREATE_PLANT.method} ${call.plantsPath}, or state the answer with the option ${assumptions[assumption].options[0]}`
          : `state it with the option ${assumptions[assumption].options[0]}, or inject the answer as a fault`,
      );
    }
    return reply;
  }

  #settle({ exchange, state }: Call, settled: Answer | undefined): void {
    exchange.settle(settled);
    if (state.isOver) return;
    for (const observer of this.#observers) observer(exchange.view);
  }
}
