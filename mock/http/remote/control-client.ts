import { Agent, type IncomingMessage, request } from "node:http";
import type { Route } from "../control/route.ts";
import { type RouteName, routes, targetOf } from "../control/routes.ts";
import { decodeExactJson, encodeExactJson } from "../exact-json.ts";

/** Makes control calls. On node:http, so that a test may replace the global `fetch` as it likes. */
export class ControlClient {
  readonly #origin: string;
  readonly #controlToken: string | undefined;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(origin: string, controlToken: string | undefined) {
    this.#origin = origin;
    this.#controlToken = controlToken;
  }

  /**
   * Makes one call.
   *
   * @returns the status and the value of the reply; `undefined` if it has no body.
   * @throws TypeError when the mock refuses what it was told (status 400).
   * @throws Error with the mock's own words for any other refusal, and if it cannot be reached.
   */
  async call<Value>(routeName: RouteName, input: CallInput = {}): Promise<{ status: number; value: Value }> {
    const route: Route = routes[routeName];
    const { method } = route;
    const path = `/_mock${targetOf(route, input.name, input.query)}`;
    const response = await this.#send(method, path, input.body === undefined ? "" : encodeExactJson(input.body));
    const text = await readText(response);
    const status = response.statusCode as number;
    if (status >= 200 && status < 300) {
      return { status, value: (text === "" ? undefined : decodeExactJson(text)) as Value };
    }
    const message = messageIn(text) ?? `${method} ${path} returned ${status}: is ${this.#origin} a mock?`;
    throw status === 400 ? new TypeError(message) : Object.assign(new Error(message), { status });
  }

  /** Closes the connections that are kept open. */
  close(): void {
    this.#agent.destroy();
  }

  #send(method: string, path: string, body: string): Promise<IncomingMessage> {
    const headers: Record<string, string | number> = { "Content-Length": Buffer.byteLength(body) };
    if (body !== "") headers["Content-Type"] = "application/json";
    if (this.#controlToken !== undefined) headers.Authorization = `Bearer ${this.#controlToken}`;
    return new Promise((resolve, reject) => {
      request(`${this.#origin}${path}`, { method, headers, agent: this.#agent })
        .on("response", resolve)
        .on("error", (cause) => reject(this.#unreachable(cause)))
        .end(body);
    });
  }

  #unreachable(cause: Error): Error {
    const message = `the mock at ${this.#origin} cannot be reached: ${cause.message}; start it with plant-store-mock`;
    return new Error(message, { cause });
  }
}

/** What a call carries. */
export interface CallInput {
  /** The variable part of the path. */
  readonly name?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

async function readText(response: IncomingMessage): Promise<string> {
  let text = "";
  response.setEncoding("utf8");
  for await (const chunk of response) text += chunk;
  return text;
}

function messageIn(text: string): string | undefined {
  try {
    return JSON.parse(text).message;
  } catch {
    return undefined;
  }
}
