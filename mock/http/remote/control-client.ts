import type { IncomingMessage } from "node:http";
import { ControlError, type ControlRoute, INSTANCE_HEADER, VARIABLE } from "../control/control-route.ts";
import { type ResultOf, type RouteName, routes } from "../control/routes.ts";
import { decodeIfJson, encodeExactJson } from "../exact-json.ts";
import { Agent, request } from "../node-http.ts";

export type Query = Readonly<Record<string, string>>;

export interface CallInput {
  /** The variable part of the path. */
  readonly name?: string;
  readonly query?: Query;
  readonly body?: unknown;
}

export type ControlClient = ReturnType<typeof createControlClient>;

/** Creates what makes control calls. It uses node:http, so that a test can replace the global `fetch`. */
export function createControlClient(origin: string, controlToken: string | undefined, callTimeoutMs: number) {
  const agent = new Agent({ keepAlive: true });
  let isClosed = false;

  /** The error of every call after the mock's handle was closed. */
  const closedError = (cause?: unknown) =>
    new Error(`the connection to the mock at ${origin} was closed by close(); connect again`, { cause });

  async function send({ method, maxWaitMs = 0 }: ControlRoute, path: string, body: string) {
    if (isClosed) throw closedError();
    const isConnecting = client.instance === undefined;
    const timeoutMs = isConnecting ? Math.min(callTimeoutMs, CONNECT_MS) : callTimeoutMs + maxWaitMs;
    const signal = AbortSignal.timeout(timeoutMs);
    const headers = {
      "Content-Length": Buffer.byteLength(body),
      ...(body !== "" && { "Content-Type": "application/json" }),
      ...(controlToken !== undefined && { Authorization: `Bearer ${controlToken}` }),
      ...(client.instance !== undefined && { [INSTANCE_HEADER]: client.instance }),
    };
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const sending = request(`${origin}${path}`, { method, headers, agent, signal });
        const closed = () => reject(new Error("the connection was closed without a response"));
        sending.on("response", resolve).on("error", reject).on("close", closed).end(body);
      });
      // Another server may use the port by now. Before the instance is known, the body tells whether it is a mock.
      const isMock = isConnecting || INSTANCE_HEADER.toLowerCase() in response.headers;
      return { status: response.statusCode as number, text: await readText(response), isMock };
    } catch (cause) {
      if (isClosed) throw closedError(cause);
      const reason = signal.aborted ? `no response within ${timeoutMs} ms` : (cause as Error).message;
      const fix = "start it with plant-store-mock";
      throw new Error(`the mock at ${origin} cannot be reached: ${reason}; ${fix}`, { cause });
    }
  }

  const client = {
    /** Identifies a run of the mock. Once set, a restarted mock rejects the calls of this client. */
    instance: undefined as string | undefined,

    /**
     * Makes one call.
     *
     * @returns The value in the response; `undefined` if it has no body.
     * @throws TypeError if the mock rejects the input (status 400).
     * @throws {@link ControlError} with the mock's own message for any other error response.
     * @throws Error if the server does not respond in time, or is not a mock; or if this client is closed.
     */
    async call<Name extends RouteName>(routeName: Name, input: CallInput = {}): Promise<ResultOf<Name>> {
      const route: ControlRoute = routes[routeName];
      const path = targetOf(route, input);
      const body = input.body === undefined ? "" : encodeExactJson(input.body);
      const { status, text, isMock } = await send(route, path, body);
      const value = decodeIfJson(text);
      if (isMock && status < 300 && (text === "" || value !== undefined)) return value as ResultOf<Name>;
      const { message, error } = Object(value) as { message?: unknown; error?: number };
      if (!isMock || typeof message !== "string" || status < 400) {
        throw new Error(`${route.method} ${path} returned ${status}: the server at ${origin} is not a mock`);
      }
      throw status === 400 ? new TypeError(message) : new ControlError(status, message, [], error);
    },

    /** Closes all connections: calls under way and later ones fail. */
    close(): void {
      isClosed = true;
      agent.destroy();
    },
  };
  return client;
}

/** A mock responds to its first call at once; another server may accept the connection and say nothing. */
const CONNECT_MS = 5_000;

/** The path and query of a call. */
function targetOf({ path }: ControlRoute, { name = "", query }: CallInput): string {
  const search = new URLSearchParams(query).toString();
  return `/_mock${path.replace(VARIABLE, encodeURIComponent(name))}${search === "" ? "" : `?${search}`}`;
}

async function readText(response: IncomingMessage): Promise<string> {
  let text = "";
  response.setEncoding("utf8");
  for await (const chunk of response) text += chunk;
  return text;
}
