import type { IncomingMessage, ServerResponse } from "node:http";
import { corsHeaders, isPreflight, preflightHeaders } from "../memory/cors.ts";
import type { RequestHeaders } from "../service/request.ts";
import type { Service } from "../service/service.ts";
import { type Delivery, NETWORK_ERROR } from "../service/service-reply.ts";
import type { SessionState } from "../service/sessions/session-state.ts";
import { headerPairs } from "../service/wire-reply.ts";
import type { Control } from "./control/control.ts";
import { deliver } from "./deliver.ts";
import type { Listener } from "./listener.ts";
import { receiveBody } from "./receive-request.ts";

/** The parts of a server that handle its requests. */
interface ServerContext {
  readonly service: Service;
  readonly control: Control;
  readonly cors: boolean;
  readonly listener: Listener;
  readonly readHeaders: (request: IncomingMessage) => RequestHeaders;
}

/** Passes one request to the control API, or to the service. */
export function serve(context: ServerContext, request: IncomingMessage, response: ServerResponse): void {
  const path = readTarget(request.url as string);
  const get = (name: string) => request.headers[name] as string | undefined;
  if (isControl(path)) context.control(path.slice("/_mock".length), response);
  else if (isPageVisit(request)) response.writeHead(302, ["Location", "_mock/", "Content-Length", "0"]).end();
  else if (context.cors && isPreflight(request.method, get))
    response.writeHead(204, preflightHeaders(get).flat()).end();
  else serveOperation(context, path, response);
}

function serveOperation(context: ServerContext, path: string, response: ServerResponse): void {
  const { service, listener, readHeaders } = context;
  const { req: request } = response;
  const method = request.method as string;
  const headers = readHeaders(request);
  const session = service.sessionOf(headers.get("authorization"));
  listener.track(session, response);
  receiveBody(request, service.options.maxBodyBytes, (body) => {
    const onDisconnect = (callback: () => void) => response.once("close", callback);
    const delivery = service.receive({ method, path, headers, body }, session, onDisconnect);
    if ("then" in delivery) delivery.then((late) => send(context, late, session, response));
    else send(context, delivery, session, response);
  });
}

/** Does what the service says. A response that Node rejects must fail only this request. */
function send({ cors }: ServerContext, delivery: Delivery, session: SessionState, response: ServerResponse): void {
  try {
    deliver(cors ? withCors(delivery) : delivery, response);
  } catch (error) {
    deliver(NETWORK_ERROR, response);
    const { method, url } = response.req;
    session.problems.add(`${method} ${url}: the response cannot be sent: ${error}`, "change that response");
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

/** Adds the CORS headers that a response does not set itself. */
function withCors(delivery: Delivery): Delivery {
  if (!("headers" in delivery)) return delivery;
  const names = headerPairs(delivery.headers).map(([name]) => name);
  return { ...delivery, headers: [...delivery.headers, ...corsHeaders(names).flat()] };
}
