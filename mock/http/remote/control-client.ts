import { Agent, type IncomingMessage, request } from "node:http";
import { INSTANCE_HEADER, type Route } from "../control/route.ts";
import { type RouteName, routes, targetOf } from "../control/routes.ts";
import { decodeExactJson, encodeExactJson } from "../exact-json.ts";

/** What a call carries. */
export interface CallInput {
  /** The variable part of the path. */
  readonly name?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A refusal of the mock, with its status. */
export class RefusedCallError extends Error {
  readonly status: number;
  /** The `error` value of the body. */
  readonly code: number | undefined;

  constructor(message: string, status: number, code: number | undefined) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Makes control calls. On node:http, so that a test may replace the global `fetch` as it likes. */
export class ControlClient {
  /** The start of the mock that calls are meant for; one that was started again refuses them. */
  instance: string | undefined;
  readonly #origin: string;
  readonly #controlToken: string | undefined;
  readonly #timeoutMs: number;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(origin: string, controlToken: string | undefined, timeoutMs: number) {
    this.#origin = origin;
    this.#controlToken = controlToken;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Makes one call.
   *
   * @returns the status and the value of the reply; `undefined` if it has no body.
   * @throws TypeError if the mock refuses what it was sent (status 400).
   * @throws {@link RefusedCallError} with the mock's own words for any other refusal.
   * @throws Error if no mock replies in time.
   */
  async call<Value>(routeName: RouteName, input: CallInput = {}): Promise<{ status: number; value: Value }> {
    const route: Route = routes[routeName];
    const path = `/_mock${targetOf(route, input.name, input.query)}`;
    const { status, text } = await this.#send(route, path, input.body === undefined ? "" : encodeExactJson(input.body));
    const value = decode(text);
    if (status in route.replies && status < 300 && value !== NOT_JSON) return { status, value: value as Value };
    const { message, error } = Object(value) as { message?: unknown; error?: number };
    if (typeof message !== "string" || status < 400) {
      throw new Error(`${route.method} ${path} returned ${status}: is ${this.#origin} a mock?`);
    }
    throw status === 400 ? new TypeError(message) : new RefusedCallError(message, status, error);
  }

  /** Closes the connections that are kept open. */
  close(): void {
    this.#agent.destroy();
  }

  async #send({ method, waits = false }: Route, path: string, body: string): Promise<{ status: number; text: string }> {
    const timeoutMs = this.#timeoutMs + (waits ? WAIT_MS : 0);
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const sending = request(`${this.#origin}${path}`, {
          method,
          headers: this.#headers(body),
          agent: this.#agent,
          signal,
        });
        // A wait that nobody awaits any more must not keep the process alive.
        if (waits) sending.on("socket", (socket) => socket.unref());
        sending.on("response", resolve).on("error", reject).end(body);
      });
      return { status: response.statusCode as number, text: await readText(response) };
    } catch (cause) {
      const reason = signal.aborted ? `no reply in ${timeoutMs} ms` : (cause as Error).message;
      throw new Error(`the mock at ${this.#origin} cannot be reached: ${reason}; start it with plant-store-mock`, {
        cause,
      });
    }
  }

  #headers(body: string): Record<string, string | number> {
    return {
      "Content-Length": Buffer.byteLength(body),
      ...(body !== "" && { "Content-Type": "application/json" }),
      ...(this.#controlToken !== undefined && { Authorization: `Bearer ${this.#controlToken}` }),
      ...(this.instance !== undefined && { [INSTANCE_HEADER]: this.instance }),
    };
  }
}

/** How long the mock itself may wait before it answers a call that waits. */
const WAIT_MS = 10_000;

const NOT_JSON = Symbol();

function decode(text: string): unknown {
  try {
    return text === "" ? undefined : decodeExactJson(text);
  } catch {
    return NOT_JSON;
  }
}

async function readText(response: IncomingMessage): Promise<string> {
  let text = "";
  response.setEncoding("utf8");
  for await (const chunk of response) text += chunk;
  return text;
}
