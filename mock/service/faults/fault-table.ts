import {
  boolean,
  int32,
  integer,
  MAX_TIMER_MS,
  optional,
  type Rule,
  required,
  string,
} from "../../../src/checks/rules.ts";
import { assumptions } from "../assumptions.ts";
import { type Delivery, NETWORK_ERROR, type ServiceReply } from "../service-reply.ts";
import { encodeReply, JSON_HEADERS, noBodyRule, type Reply, replyRules, type WireReply } from "../wire-reply.ts";

/** How a request fails. Plain data, so that it can be sent to another process; create one with {@link faults}. */
export type Fault =
  | {
      readonly type: "apiError";
      /** The `error` value in the response body, an int32. */
      readonly code: number;
      /** The `message` in the response body. */
      readonly message: string;
    }
  | { readonly type: "unauthorized" }
  | ({
      readonly type: "reply";
      /** Whether the service first stores the plant. */
      readonly stored?: boolean | undefined;
    } & Readonly<Reply>)
  | {
      readonly type: "rateLimited";
      /** The value of `Retry-After`, in seconds. */
      readonly retryAfterSeconds: number;
    }
  | {
      readonly type: "delay";
      /** The delay of the response, in milliseconds. */
      readonly ms: number;
    }
  | { readonly type: "hang" }
  | { readonly type: "networkError" }
  | { readonly type: "connectionRefused" }
  | { readonly type: "lostResponse" }
  | { readonly type: "truncatedBody" }
  | { readonly type: "stalledBody" };

/**
 * Creates a {@link Fault}, e.g. `mock.inject(faults.rateLimited(2))`.
 *
 * @example
 * {@includeCode ../../../docs/code/testing/in-memory.ts#fault}
 */
export const faults = {
  /** The service rejects the request: status 400 with an Error body, whose `error` is the code, an int32: `rejected`. */
  apiError: (code: number, message: string): Fault => ({ type: "apiError", code, message }),
  /** Status 401 with `WWW-Authenticate` and an Error body: a token provider is asked for another token; else `rejected`. */
  unauthorized: (): Fault => ({ type: "unauthorized" }),
  /**
   * Any response, in place of the service's own. A string as its body is sent as it is, any other value as JSON. With
   * `{ stored: true }` the service first processes the request, as behind a proxy that returns a status of its own.
   */
  reply: (fields: Reply, options?: { stored?: boolean | undefined }): Fault => ({
    type: "reply",
    ...fields,
    ...options,
  }),
  /** Status 429 with `Retry-After`, in seconds: the client waits and retries; with retries used up, `rejected`. */
  rateLimited: (retryAfterSeconds: number): Fault => ({ type: "rateLimited", retryAfterSeconds }),
  /** The service stores the plant at once and sends its response after a number of milliseconds. */
  delay: (ms: number): Fault => ({ type: "delay", ms }),
  /** Nothing is stored, and no response ever arrives: the client reports a timeout, `unknown`. */
  hang: (): Fault => ({ type: "hang" }),
  /** The connection is reset, and nothing is stored: the client reports a connection error, `unknown`. */
  networkError: (): Fault => ({ type: "networkError" }),
  /** The connection is refused: the client retries, then reports a connection error, `not-sent`. In memory only. */
  connectionRefused: (): Fault => ({ type: "connectionRefused" }),
  /** The plant is stored, and the connection closes without a response: the client reports a connection error, `unknown`. */
  lostResponse: (): Fault => ({ type: "lostResponse" }),
  /** The plant is stored, and the connection closes halfway through the response body: a connection error, `unknown`. */
  truncatedBody: (): Fault => ({ type: "truncatedBody" }),
  /** The plant is stored, and the response body stops halfway: the client reports a timeout, `unknown`. */
  stalledBody: (): Fault => ({ type: "stalledBody" }),
} as const satisfies Record<Fault["type"], unknown>;

/** Everything about one type of fault. Checks, forms and tables are derived from it. */
export interface FaultRow<Shape extends Fault = Fault> {
  /** Its name for a person, e.g. `the response is lost`. */
  readonly title: string;
  /** Its effect, in a few words. */
  readonly description: string;
  /** The rule of each field, which is optional if its rule accepts `undefined`. */
  readonly fields: { readonly [Name in Exclude<keyof Shape, "type">]-?: Rule };
  /** A rule across several fields; called if each field is valid. */
  check?(fault: Shape): string | undefined;
  /** Fills the form of the console, where it can be edited. */
  readonly template: Fault;
  /** What is missing when the client has a status: the end of the body, or all of the response. */
  readonly loses?: "half" | "all";
  /** Present if only the in-memory mock can reproduce it. */
  readonly isInMemoryOnly?: true;
  /** Whether `simulate` draws it: an import that is right must be able to survive it, and to report it. */
  readonly isSimulated: boolean;
  /** Handles the request. */
  apply(fault: Shape, context: FaultContext): Delivery | Promise<Delivery>;
}

/** The request that a fault affects. */
export interface FaultContext {
  /** The position of the fault among all faults of the session since its reset, from 1. */
  readonly number: number;
  /** Whether a reset has ended the request, or its client has disconnected. */
  readonly isOver: boolean;
  /** Lets the service process the request, and returns the response that it would send. */
  process(): ServiceReply;
  /** Records the response, or that there was none. */
  finish(reply: ServiceReply | undefined): void;
  /** Waits for a number of milliseconds (forever by default), or until `isOver`. */
  wait(ms?: number): Promise<void>;
}

/** A time in seconds or milliseconds. The limit is that of timers: a longer one fires at once. */
const duration = integer(0, MAX_TIMER_MS);

/** Every fault, in the order in which lists show them. */
export const faultTable: { readonly [Type in Fault["type"]]: FaultRow<Extract<Fault, { type: Type }>> } = {
  apiError: {
    title: "an error response",
    description: "status 400 with an error body",
    fields: { code: required(int32), message: required(string) },
    template: faults.apiError(1, "no such tag"),
    isSimulated: true,
    apply({ code, message }, context) {
      const body = JSON.stringify({ error: code, message });
      return replaced({ status: 400, headers: JSON_HEADERS, body }, context);
    },
  },
  unauthorized: {
    title: "the token is refused",
    description: "status 401 with `WWW-Authenticate` and an error body",
    fields: {},
    template: faults.unauthorized(),
    isSimulated: true,
    apply(_fault, context) {
      const { status, code, headers = [] } = assumptions.invalidToken.refusal;
      const message = `Authorization: the bearer token is not valid (injected fault #${context.number})`;
      const body = JSON.stringify({ error: code, message });
      return replaced({ status, headers: [...JSON_HEADERS, ...headers], body }, context);
    },
  },
  reply: {
    title: "any response",
    description: "any status, headers and body; nothing stored, unless `stored` is true",
    fields: { ...replyRules, stored: optional(boolean) },
    check: noBodyRule,
    template: faults.reply({ status: 500, body: "oops" }),
    isSimulated: true,
    apply(fault, context) {
      if (fault.stored) context.process();
      return replaced(encodeReply(fault), context);
    },
  },
  rateLimited: {
    title: "too many requests",
    description: "status 429 with `Retry-After`",
    fields: { retryAfterSeconds: duration },
    template: faults.rateLimited(1),
    isSimulated: true,
    apply({ retryAfterSeconds }, context) {
      const message = `too many requests; try again after ${retryAfterSeconds} s (injected fault #${context.number})`;
      const body = JSON.stringify({ error: assumptions.rateLimited.refusal.code, message });
      return replaced(
        { status: 429, headers: [...JSON_HEADERS, "Retry-After", `${retryAfterSeconds}`], body },
        context,
      );
    },
  },
  delay: {
    title: "the response is late",
    description: "stored at once, response delayed",
    fields: { ms: duration },
    template: faults.delay(1000),
    isSimulated: true,
    async apply({ ms }, context) {
      const reply = context.process();
      await context.wait(ms);
      context.finish(reply);
      return context.isOver ? NETWORK_ERROR : reply;
    },
  },
  hang: {
    title: "no response",
    description: "no response, nothing stored",
    fields: {},
    template: faults.hang(),
    isSimulated: true,
    async apply(_fault, context) {
      await context.wait();
      return failed("networkError", context);
    },
  },
  networkError: {
    title: "the connection is reset",
    description: "connection reset, nothing stored",
    fields: {},
    template: faults.networkError(),
    isSimulated: true,
    apply: (_fault, context) => failed("networkError", context),
  },
  connectionRefused: {
    title: "the connection is refused",
    description: "connection refused, nothing sent",
    fields: {},
    template: faults.connectionRefused(),
    isSimulated: true,
    // The other adapters find the fault only after the request has arrived, too late to refuse its connection.
    isInMemoryOnly: true,
    apply: (_fault, context) => failed("connectionRefused", context),
  },
  lostResponse: {
    title: "the response is lost",
    description: "stored, connection closed without a response",
    fields: {},
    template: faults.lostResponse(),
    isSimulated: true,
    loses: "all",
    apply(_fault, context) {
      processed(context);
      return { how: "lostResponse" };
    },
  },
  truncatedBody: {
    title: "the body is cut off",
    description: "stored, connection closed halfway through the response body",
    fields: {},
    template: faults.truncatedBody(),
    isSimulated: true,
    loses: "half",
    apply: (_fault, context) => ({ ...processed(context), how: "truncatedBody" }),
  },
  stalledBody: {
    title: "the body stalls",
    description: "stored, response body stops halfway",
    fields: {},
    template: faults.stalledBody(),
    isSimulated: true,
    loses: "half",
    apply: (_fault, context) => ({ ...processed(context), how: "stalledBody", ended: context.wait() }),
  },
};

/** Responds in place of the service. */
function replaced(reply: WireReply, context: FaultContext): ServiceReply {
  const injected: ServiceReply = { ...reply, how: "reply", source: { provenance: "injected", assumption: undefined } };
  context.finish(injected);
  return injected;
}

/** Lets the service process the request, and records its response. */
function processed(context: FaultContext): ServiceReply {
  const reply = context.process();
  context.finish(reply);
  return reply;
}

/** Ends the request before the service processes it. */
function failed(how: "networkError" | "connectionRefused", context: FaultContext): Delivery {
  context.finish(undefined);
  return { how };
}
