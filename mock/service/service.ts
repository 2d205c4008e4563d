import { assumptions } from "./assumptions.ts";
import { type Credentials, readCredentials, rejectionOf } from "./authentication.ts";
import { rowOf } from "./faults/check-fault.ts";
import type { InjectedFault } from "./faults/injected-faults.ts";
import type { Operation, RequestContext } from "./operation.ts";
import { createPlant } from "./operations/create-plant.ts";
import type { ServiceRequest } from "./request.ts";
import type { ResolvedOptions } from "./resolve-options.ts";
import { pathUnder, Router } from "./router.ts";
import { CONFIGURED, DECLARED, type Delivery, NETWORK_ERROR, type ServiceReply } from "./service-reply.ts";
import { RequestRecord } from "./sessions/request-record.ts";
import { SessionRegistry } from "./sessions/session-registry.ts";
import type { SessionState } from "./sessions/session-state.ts";
import { TokenLabels } from "./token-labels.ts";

/** Every operation of the service. The router, 404, 405, CORS and the reports of `verify` derive from it. */
export const operations: readonly Operation[] = [createPlant];

/** A request that is over, or a connection that was refused before there was one, of which less is known. */
export type ObservedRequest = Pick<RequestRecord, "at"> & Partial<RequestRecord>;

/**
 * The service, for every adapter. It works on plain data, because creating a Request or a Response is slow.
 *
 * An adapter handles a request in four steps:
 *
 * 1. When the headers have arrived, it calls {@link Service.sessionOf} with the Authorization header (several values joined
 *    by `", "`). From then on a reset of the session ends the request (`onEnd`), even while its body is being read.
 * 2. It reads the body, and stops after `maxBodyBytes + 1` bytes, which is enough for a 413.
 * 3. It calls {@link Service.receive}.
 * 4. It does what `delivery.how` says. Gates, delays and hangs are over by then.
 */
export class Service {
  readonly options: ResolvedOptions;
  readonly labels = new TokenLabels();
  readonly sessions: SessionRegistry;
  readonly router: Router;
  readonly #observers: ((request: ObservedRequest) => void)[] = [];
  #lastHeader: string | null | undefined;
  #lastCredentials = readCredentials(undefined);

  constructor(options: ResolvedOptions, table = operations) {
    this.options = options;
    this.router = new Router(table, pathUnder(options.baseUrl, options.baseUrl) as string);
    this.sessions = new SessionRegistry(options, this.labels);
  }

  /** Without a trailing slash. */
  get baseUrl(): string {
    return this.options.baseUrl;
  }

  /** The state of the session that a request belongs to, by its Authorization header. */
  sessionOf(authorization: string | null | undefined): SessionState {
    return this.sessions.of(this.#credentialsIn(authorization).token).state;
  }

  #credentialsIn(authorization: string | null | undefined): Credentials {
    // Most requests repeat the header of the previous one.
    if (authorization !== this.#lastHeader) {
      this.#lastHeader = authorization;
      this.#lastCredentials = readCredentials(authorization);
    }
    return this.#lastCredentials;
  }

  /**
   * Handles one request. It never throws or rejects.
   *
   * @param session - As it was when the request began: a reset ends it.
   * @param onDisconnect - Registers a callback for a client that disconnects before the response is complete. Called only
   *   if the request waits.
   * @returns A promise only if a gate or a fault makes the request wait. Test with `"then" in delivery`, because zone.js
   * replaces the global Promise but not that of async functions.
   */
  receive(
    request: ServiceRequest,
    session: SessionState,
    onDisconnect: (callback: () => void) => void,
  ): Delivery | Promise<Delivery> {
    if (session.isOver) return NETWORK_ERROR;
    const { options, labels } = this;
    const { clock } = options;
    const credentials = this.#credentialsIn(request.headers.get("authorization"));
    const token = credentials.token === undefined ? undefined : labels.of(credentials.token);
    const record = new RequestRecord(request, clock.date(), token, labels);
    session.requests.push(record);
    const context: RequestContext = {
      record,
      destination: this.router.find(request),
      credentials,
      session,
      options,
      success: DECLARED,
      startedAt: undefined,
    };
    const isHeld = session.gates.size > 0;
    const isFaultless = session.faults.injected.size === 0 && options.simulation === undefined;
    if (!isHeld && isFaultless && session.limiter === undefined) {
      return this.#reply(context, this.#authorize(context));
    }
    context.startedAt = clock.now();
    onDisconnect(() => record.leave());
    return isHeld ? session.passGates(record).then(() => this.#proceed(context)) : this.#proceed(context);
  }

  /** Reports a connection that was refused before there was a request. */
  noteRefused(status: number | undefined, reason: string): void {
    for (const observer of this.#observers) observer({ at: this.options.clock.date(), status, reason });
  }

  /** Calls the listener once for each completed or failed request of every session, and for each refused connection. */
  observe(listener: (request: ObservedRequest) => void): void {
    this.#observers.push(listener);
  }

  /** Ends every session and resets the root session: open requests fail, and tokens become free. */
  close(): void {
    for (const session of this.sessions) this.sessions.dispose(session);
  }

  /** Continues after the gates. */
  #proceed(context: RequestContext): Delivery | Promise<Delivery> {
    const { record, session, destination } = context;
    if (session.isOver) return NETWORK_ERROR;
    if (record.hasLeft) {
      this.#finish(context, undefined);
      return NETWORK_ERROR;
    }
    const unauthorized = this.#authorize(context);
    if (destination.fix === undefined && unauthorized === undefined) {
      const waitMs = session.limiter?.(this.options.clock.now()) ?? 0;
      if (waitMs > 0) return this.#refuseRate(context, waitMs);
    }
    const injected = this.#takeFault(context);
    if (injected === undefined) return this.#reply(context, unauthorized);
    record.fault = injected.shown;
    record.faultNumber = injected.number;
    // Reported here, because most faults replace the response that would report it.
    if (destination.fix !== undefined) {
      this.#reportDestination(context, destination.handle(context), `met the fault ${injected.fault.type}`);
    }
    return rowOf(injected.fault).apply(injected.fault, {
      number: injected.number,
      get isOver() {
        return session.isOver || record.hasLeft;
      },
      process: () => this.#process(context, unauthorized),
      finish: (reply) => this.#finish(context, reply),
      wait: (ms) => session.wait(record, ms),
    });
  }

  /** The fault of an admitted request: that of a simulation, or the first that was injected and matches. */
  #takeFault({
    record,
    session,
    options,
  }: RequestContext): Pick<InjectedFault, "fault" | "shown" | "number"> | undefined {
    const fault = options.simulation?.drawFault(record.plant);
    if (fault) return { fault, shown: fault, number: record.number };
    return session.faults.take(record, (problem) => session.problems.add(problem, "fix that function"));
  }

  #reply(context: RequestContext, unauthorized: ServiceReply | undefined): ServiceReply {
    const reply = this.#process(context, unauthorized);
    this.#finish(context, reply);
    return reply;
  }

  #refuseRate(context: RequestContext, waitMs: number): ServiceReply {
    const seconds = this.options.rateLimit?.retryAfterSeconds(waitMs);
    const [hint, headers] =
      seconds === undefined ? ["later", []] : [`after ${seconds} s`, ["Retry-After", `${seconds}`]];
    const reply = this.options.refuse("rateLimited", `too many requests; try again ${hint}`, headers);
    this.#finish(context, reply);
    return reply;
  }

  #process(context: RequestContext, unauthorized: ServiceReply | undefined): ServiceReply {
    const { destination, record } = context;
    const reply = unauthorized ?? destination.handle(context);
    if (destination.fix !== undefined && record.fault === undefined) {
      this.#reportDestination(context, reply, `returned ${reply.status}`);
    }
    return reply;
  }

  /** The rejection of a request to an operation that has no valid bearer token. Comes before the body is read. */
  #authorize(context: RequestContext): ServiceReply | undefined {
    const { credentials, session, destination } = context;
    const { auth, refuse } = this.options;
    if (destination.fix !== undefined) return undefined;
    if (auth === undefined && credentials.token === undefined) context.success = CONFIGURED;
    const rejection = rejectionOf(credentials, session.tokens, auth, (reason) => {
      const fix = "fix that function; the mock treated the token as invalid";
      session.problems.add(`auth.tokens threw${reason}`, fix);
    });
    return rejection && refuse(...rejection);
  }

  /** In strict mode, reports the assumption that a response relied on, unless an option chooses that, or nobody got it. */
  #reportAssumption({ record, destination, session }: RequestContext, { source: { assumption } }: ServiceReply): void {
    const { strict, chosen } = this.options;
    if (!strict || assumption === undefined || destination.fix !== undefined) return;
    const isChosen = assumption === "rateLimited" || chosen.has(`replies.${assumption}`);
    if (isChosen || record.hasLeft || record.loses === "all") return;
    const unset = assumptions[assumption].options.filter((option) => !chosen.has(option));
    session.problems.add(
      `strict: the response to ${record.method} ${record.path} relied on the assumption "${assumption}"`,
      `set the option ${unset.join(" or ")}, or inject the response as a fault`,
    );
  }

  /** Reports a request that no operation matches, unless an option sets the response to it. */
  #reportDestination({ record, destination, session }: RequestContext, { source }: ServiceReply, end: string): void {
    if (source.assumption === undefined) return;
    session.problems.add(
      `${record.method} ${record.path} ${end}: the service has no such operation`,
      `${destination.fix}, or set the response with the option ${assumptions[source.assumption].options[0]}`,
    );
  }

  #finish(context: RequestContext, reply: ServiceReply | undefined): void {
    const { record, session, startedAt } = context;
    // A test may have replaced the clock in the meantime.
    record.finish(reply, startedAt === undefined ? 0 : Math.max(0, this.options.clock.now() - startedAt));
    if (session.isOver) return;
    if (reply !== undefined) this.#reportAssumption(context, reply);
    for (const observer of this.#observers) observer(record);
  }
}
