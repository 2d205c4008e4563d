import type { IncomingMessage, ServerResponse } from "node:http";
import { type Delivery, NETWORK_ERROR } from "../service/delivery.ts";
import type { RequestHeaders } from "../service/request-data.ts";
import type { Service } from "../service/service.ts";
import type { Control } from "./control/control.ts";
import { answerPreflight, isPreflight, withCors } from "./cors.ts";
import { deliver } from "./deliver.ts";
import { receiveBody } from "./receive-body.ts";

/** The parts of a server that handle its requests. */
export interface ServerContext {
  readonly service: Service;
  readonly control: Control;
  readonly cors: boolean;
}

/** Passes one request to the control API, or to the service. */
export function serve(context: ServerContext, request: IncomingMessage, response: ServerResponse): void {
  const path = readTarget(request.url as string);
  if (isControl(path)) context.control(path.slice("/_mock".length), response);
  else if (isPageVisit(request)) response.writeHead(302, ["Location", "/_mock/", "Content-Length", "0"]).end();
  else if (context.cors && isPreflight(request)) answerPreflight(response, context.service.operations);
  else serveOperation(context, path, response);
}

function serveOperation({ service, cors }: ServerContext, path: string, response: ServerResponse): void {
  const { req: request } = response;
  const method = request.method as string;
  const headers = new DistinctHeaders(request.headersDistinct);
  const arrival = service.begin(headers.get("authorization"));
  const { session } = arrival;
  const onReset = () => {
    if (!response.writableEnded) deliver(NETWORK_ERROR, response);
  };
  session.onEnd(onReset);
  response.on("close", () => session.offEnd(onReset));
  receiveBody(request, service.options.maxBodyBytes, (body) => {
    const onDisconnect = (callback: () => void) => response.once("close", callback);
    const delivery = service.receive({ arrival, method, path, headers, body, onDisconnect });
    const send = (late: Delivery) => {
      try {
        deliver(cors ? withCors(late) : late, response);
      } catch (error) {
        // A response that Node rejects must fail only this request.
        deliver(NETWORK_ERROR, response);
        session.problems.add(`${method} ${path}: the response cannot be sent: ${error}`, "change that response");
      }
    };
    if ("then" in delivery) delivery.then(send);
    else send(delivery);
  });
}

/** Node's own lists of headers: `IncomingMessage.headers` keeps only the first of several Authorization headers. */
export class DistinctHeaders implements RequestHeaders {
  readonly #headers: NodeJS.Dict<string[]>;

  constructor(headers: NodeJS.Dict<string[]>) {
    this.#headers = headers;
  }

  get(name: string): string | undefined {
    return this.#headers[name]?.join(", ");
  }

  *[Symbol.iterator](): Generator<readonly [name: string, value: string], undefined> {
    for (const name of Object.keys(this.#headers)) yield [name, this.get(name) as string];
  }
}

function isControl(path: string): boolean {
  return path === "/_mock" || path.startsWith("/_mock/") || path.startsWith("/_mock?");
}

/** Whether someone opened the URL of the mock in a browser, and so wants the console. */
function isPageVisit({ method, url, headers }: IncomingMessage): boolean {
  return url === "/" && method === "GET" && /\btext\/html\b/.test(headers.accept ?? "");
}

/** The path and query of a request target, even if it is a whole URL. Source: RFC 9112, section 3.2.2. */
function readTarget(target: string): string {
  return target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?#]*\/?/i, "/");
}
