import { checkReply, type Reply } from "../reply.ts";

/** What goes wrong with one exchange. Plain data, so that it crosses processes; {@link faults} writes it. */
export type Fault =
  | {
      /** The service says no with its own error body: status 400. */
      readonly type: "apiError";
      /** The error body's `error`, an int32. */
      readonly code: number;
      /** The error body's `message`. */
      readonly message: string;
    }
  | {
      /** Any reply at all, in place of the service's own. */
      readonly type: "reply";
      /** The HTTP status, from 200 to 599. */
      readonly status: number;
      /** Headers of the reply. */
      readonly headers?: Readonly<Record<string, string>> | undefined;
      /** The body: a string goes out as it is, anything else as JSON. */
      readonly body?: unknown;
    }
  | {
      /** Too many requests: status 429 with `Retry-After`. */
      readonly type: "rateLimited";
      /** The value of `Retry-After`, in seconds. */
      readonly retryAfterSeconds: number;
    }
  | {
      /** The service does its work at once, and its reply comes later. */
      readonly type: "delay";
      /** How much later, in milliseconds. */
      readonly ms: number;
    }
  | {
      /**
       * `hang`: nothing is stored and no reply ever comes.
       * `networkError`: the connection is reset, and nothing is stored.
       * `connectionRefused`: there is no connection at all.
       * `lostResponse`: the plant is stored, and the connection closes without a reply.
       * `truncatedBody`: the plant is stored, and the connection closes half way through the body.
       * `stalledBody`: the plant is stored, and the body stops half way, on an open connection.
       */
      readonly type: "hang" | "networkError" | "connectionRefused" | "lostResponse" | "truncatedBody" | "stalledBody";
    };

/**
 * Writes each {@link Fault}, e.g. `mock.inject(faults.rateLimited(2))`.
 *
 * @example
 * {@includeCode ../../../docs/code/testing/in-memory.ts#fault}
 */
export const faults = {
  /** The service says no: status 400 with an error body. */
  apiError: (code: number, message: string): Fault => ({ type: "apiError", code, message }),
  /** Any reply at all, in place of the service's own. */
  reply: (reply: { status: number; headers?: Record<string, string> | undefined; body?: unknown }): Fault => ({
    type: "reply",
    ...reply,
  }),
  /** Status 429 with `Retry-After`, in seconds. */
  rateLimited: (retryAfterSeconds: number): Fault => ({ type: "rateLimited", retryAfterSeconds }),
  /** The service does its work at once, and its reply comes so many milliseconds later. */
  delay: (ms: number): Fault => ({ type: "delay", ms }),
  /** Nothing is stored, and no reply ever comes. */
  hang: (): Fault => ({ type: "hang" }),
  /** The connection is reset, and nothing is stored. */
  networkError: (): Fault => ({ type: "networkError" }),
  /** There is no connection at all. */
  connectionRefused: (): Fault => ({ type: "connectionRefused" }),
  /** The plant is stored, and the connection closes without a reply. */
  lostResponse: (): Fault => ({ type: "lostResponse" }),
  /** The plant is stored, and the connection closes half way through the body. */
  truncatedBody: (): Fault => ({ type: "truncatedBody" }),
  /** The plant is stored, and the body stops half way, on an open connection. */
  stalledBody: (): Fault => ({ type: "stalledBody" }),
} as const;

/**
 * Checks a fault that may come from JavaScript or JSON, and copies it.
 *
 * @throws TypeError that names the field, the rule and the fix.
 */
export function checkFault(value: Fault): Fault {
  if (typeof value !== "object" || value === null || !Object.hasOwn(faults, value.type)) {
    throw new TypeError(`fault.type: must be one of ${Object.keys(faults).join(", ")}; write it with \`faults\``);
  }
  const fault = { ...value };
  switch (fault.type) {
    case "apiError":
      if ((fault.code | 0) !== fault.code)
        throw new TypeError("fault.code: must be an integer from -2147483648 to 2147483647");
      if (typeof fault.message !== "string") throw new TypeError("fault.message: must be a string");
      break;
    case "reply":
      checkReply(fault as Reply, "fault");
      break;
    case "rateLimited":
      checkCount(fault.retryAfterSeconds, "fault.retryAfterSeconds");
      break;
    case "delay":
      checkCount(fault.ms, "fault.ms");
  }
  return fault;
}

function checkCount(value: number, name: string): void {
  if (!Number.isInteger(value) || value < 0 || value > MAX_COUNT) {
    throw new TypeError(`${name}: must be an integer from 0 to ${MAX_COUNT}`);
  }
}

/** A longer timer fires at once. */
const MAX_COUNT = 2 ** 31 - 1;
