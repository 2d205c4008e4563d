import type { PlantStoreService, RequestSession, ServedOperation, ServiceRequest } from "./adapter.ts";
import type { AdapterName } from "./adapter-names.ts";
import { assumptions } from "./assumptions.ts";
import { authorize } from "./authorize.ts";
import { type Credentials, readCredentials } from "./credentials.ts";
import { type Delivery, NETWORK_ERROR } from "./delivery.ts";
import { checkAdapters } from "./faults/check-fault.ts";
import { definitionOf, type Fault } from "./faults/fault.ts";
import type { LoggedRequest } from "./mock-plant-store.ts";
import { operations } from "./operations/operations.ts";
import type { ResolvedOptions } from "./options.ts";
import { type Answer, DECLARED } from "./reply.ts";
import type { RequestContext } from "./request-context.ts";
import { type Route, Router } from "./router.ts";
import { JournalEntry } from "./sessions/journal-entry.ts";
import { SessionRegistry } from "./sessions/session-registry.ts";
import type { SessionState } from "./sessions/session-state.ts";
import { TokenLabels } from "./sessions/token-labels.ts";

interface RoutedContext extends RequestContext {
  readonly route: Route;
  /** When the request arrived, by `performance.now()`; absent if nothing can make it wait. */
  startedAt: number | undefined;
  /** The rejection of the request's token; `false` if the token is valid, absent if not yet checked. */
  unauthorized: Answer | false | undefined;
  isAdmitted: boolean;
}

/** The service, for every adapter. It works on plain data, because creating a Request or a Response is slow. */
export class Service implements PlantStoreService {
  readonly options: ResolvedOptions;
  readonly labels = new TokenLabels();
  readonly sessions: SessionRegistry;
  readonly #adapters: AdapterName[] = [];
  readonly #observers = new Set<(request: LoggedRequest) => void>();
  readonly #origin: string;
  readonly #router: Router;
  #lastHeader: string | null | undefined;
  #lastCredentials: Credentials = readCredentials(undefined);

  constructor(options: ResolvedOptions, table = operations) {
    this.options = options;
    this.#origin = new URL(options.baseUrl).origin;
    this.#router = new Router(table, options.baseUrl.slice(this.#origin.length));
    this.sessions = new SessionRegistry(options, this.labels);
  }

  get baseUrl(): string {
    return this.options.baseUrl;
  }

  get maxBodyBytes(): number {
    return this.options.maxBodyBytes;
  }

  get operations(): readonly ServedOperation[] {
    return this.#router.operations;
  }

  begin(authorization: string | null | undefined): SessionState {
    return this.sessions.of(this.#credentials(authorization).token).state;
  }

  receive(request: ServiceRequest, requestSession: RequestSession): Delivery | Promise<Delivery> {
    const session = requestSession as SessionState;
    if (session.isOver) return NETWORK_ERROR;
    const credentials = this.#credentials(request.headers.get("authorization"));
    const route = this.#router.find(request);
    const entry = new JournalEntry(request, route.params, credentials.token, this.labels);
    session.journal.push(entry);
    const { options } = this;
    const context: RoutedContext = {
      entry,
      route,
      startedAt: undefined,
      unauthorized: undefined,
      isAdmitted: false,
      credentials,
      body: request.body,
      onHang: request.onHang,
      session,
      options,
      success: DECLARED,
    };
    const isHeld = session.gates.size > 0;
    if (!isHeld && session.faults.size === 0 && session.limiter === undefined) return this.#reply(context);
    context.startedAt = performance.now();
    request.onDisconnect?.(() => entry.leave());
    return isHeld ? session.passGates(entry).then(() => this.#proceed(context)) : this.#proceed(context);
  }

  pathOf(url: string): string | undefined {
    const { baseUrl } = this.options;
    if (!url.startsWith(baseUrl)) return undefined;
    const end = url.indexOf("#");
    const path = url.slice(this.#origin.length, end < 0 ? undefined : end);
    const next = path.charAt(baseUrl.length - this.#origin.length);
    return next === "" || next === "/" || next === "?" ? path : undefined;
  }

  hasPath(path: string): boolean {
    return this.#router.hasPath(path);
  }

  report(session: RequestSession, problem: string, fix: string): void {
    (session as SessionState).problems.add(problem, fix);
  }

  observe(listener: (request: LoggedRequest) => void): () => void {
    this.#observers.add(listener);
    return () => this.#observers.delete(listener);
  }

  attach(adapter: AdapterName): () => void {
    for (const { state } of this.sessions) {
      for (const { fault } of state.faults.queued) checkAdapters(fault, [adapter]);
    }
    this.#adapters.push(adapter);
    let isAttached = true;
    return () => {
      if (isAttached) this.#adapters.splice(this.#adapters.indexOf(adapter), 1);
      isAttached = false;
    };
  }

  /** @throws TypeError if an adapter in use cannot reproduce the fault. */
  checkAdapters(fault: Fault): void {
    checkAdapters(fault, this.#adapters);
  }

  close(): void {
    for (const session of this.sessions) this.sessions.dispose(session);
  }

  /** Caches the last result: most requests repeat the header of the previous one. */
  #credentials(authorization: string | null | undefined): Credentials {
    if (authorization === this.#lastHeader) return this.#lastCredentials;
    this.#lastHeader = authorization;
    this.#lastCredentials = readCredentials(authorization);
    return this.#lastCredentials;
  }

  /** Continues after the gates. */
  #proceed(context: RoutedContext): Delivery | Promise<Delivery> {
    const { entry, session } = context;
    if (session.isOver) return NETWORK_ERROR;
    if (entry.hasLeft) {
      this.#settle(context, undefined);
      return NETWORK_ERROR;
    }
    const waitMs = this.#admit(context);
    if (waitMs > 0) return this.#refuseRate(context, waitMs);
    const fault = session.faults.take(entry, session.problems);
    if (session.isOver) return NETWORK_ERROR; // A function in `when` has reset the session.
    if (fault === undefined) return this.#reply(context);
    entry.fault = fault;
    // Reported here, because most faults replace the response that would report it.
    if (context.route.fix !== undefined) {
      this.#reportRoute(context, context.route.answer(context), `met the fault ${fault.type}`);
    }
    return definitionOf(fault).apply(fault, {
      get isOver() {
        return session.isOver || entry.hasLeft;
      },
      answer: () => this.#answer(context),
      settle: (answer) => this.#settle(context, answer),
      wait: (ms) => {
        if (ms === undefined) context.onHang?.();
        return session.wait(entry, ms);
      },
    });
  }

  #reply(context: RoutedContext): Answer {
    const answer = this.#answer(context);
    this.#settle(context, answer);
    return answer;
  }

  /** Applies the rate limit to an authorized request; returns 0, or the milliseconds until the next may be admitted. */
  #admit(context: RoutedContext): number {
    const { limiter } = context.session;
    if (limiter === undefined || context.route.fix !== undefined || refuseToken(context)) return 0;
    const waitMs = limiter.admit(performance.now());
    context.isAdmitted = waitMs === 0;
    return waitMs;
  }

  #refuseRate(context: RoutedContext, waitMs: number): Answer {
    const seconds = this.options.rateLimit?.retryAfterSeconds(waitMs);
    const [hint, headers] =
      seconds === undefined ? ["later", []] : [`after ${seconds} s`, ["Retry-After", `${seconds}`]];
    const answer = this.options.refuse("rateLimited", `too many requests; try again ${hint}`, headers);
    this.#reportAssumption(context, answer);
    this.#settle(context, answer);
    return answer;
  }

  #answer(context: RoutedContext): Answer {
    const { route } = context;
    const answer = (route.fix === undefined && refuseToken(context)) || route.answer(context);
    this.#reportAssumption(context, answer);
    return answer;
  }

  /** Reports a request that no operation matches and, in strict mode, the assumption that a response relied on. */
  #reportAssumption(context: RoutedContext, answer: Answer): void {
    const { entry, route, session } = context;
    const { status, source } = answer;
    if (route.fix !== undefined) {
      if (entry.fault === undefined) this.#reportRoute(context, answer, `returned ${status}`);
    } else if (this.options.strict && source.assumption !== undefined) {
      const { method, path } = entry;
      session.problems.add(
        `strict: the response to ${method} ${path} relied on the assumption "${source.assumption}"`,
        `set the option ${assumptions[source.assumption].options[0]}, or inject the response as a fault`,
      );
    }
  }

  /** Reports a request that no operation matches, unless an option sets the response to it. */
  #reportRoute({ entry, route, session }: RoutedContext, { source: { assumption } }: Answer, end: string): void {
    if (assumption === undefined) return;
    session.problems.add(
      `${entry.method} ${entry.path} ${end}: the service has no such operation`,
      `${route.fix}, or set the response with the option ${assumptions[assumption].options[0]}`,
    );
  }

  #settle({ entry, session, isAdmitted, startedAt }: RoutedContext, answer: Answer | undefined): void {
    // A test may have replaced the clock in the meantime.
    entry.settle(answer, startedAt === undefined ? 0 : Math.max(0, performance.now() - startedAt));
    session.journal.settle(entry);
    if (isAdmitted) session.limiter?.release?.();
    if (session.isOver) return;
    for (const observer of this.#observers) observer(entry);
  }
}

/** The rejection of a request because of its token. Cached, so that a function in `auth.tokens` is called only once. */
function refuseToken(context: RoutedContext): Answer | false {
  context.unauthorized ??= authorize(context) ?? false;
  return context.unauthorized;
}
