import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { PlantStoreService, RequestSession } from "../service/adapter.ts";
import { type Delivery, NETWORK_ERROR } from "../service/delivery.ts";
import { encodeResponse } from "./client-errors.ts";
import type { Control } from "./control/control.ts";
import { answerPreflight, CORS_ADVICE, isPreflight, withCors } from "./cors.ts";
import { deliver } from "./deliver.ts";
import { readBody } from "./read-body.ts";
import type { WireHeaders } from "./wire-headers.ts";

/** The parts of a server that handle its requests. */
export interface ServerContext {
  readonly service: PlantStoreService;
  readonly control: Control;
  readonly cors: boolean;
  readonly readHeaders: (raw: readonly string[]) => WireHeaders;
  /** Called with the session of a request before its body is read. */
  readonly onBegin: (session: RequestSession) => void;
  /** Called for a request that a fault leaves without a complete response. */
  readonly markHanging: (response: ServerResponse) => void;
}

/** Passes one request to the control API, or to the service. */
export function serve(context: ServerContext, request: IncomingMessage, response: ServerResponse): void {
  const path = readTarget(request.url as string);
  if (isControl(path)) context.control.handle(path.slice("/_mock".length), request, response);
  else if (isPageVisit(request)) response.writeHead(302, ["Location", "/_mock/", "Content-Length", "0"]).end();
  else if (context.cors && isPreflight(request)) answerPreflight(request, response, methodsOf(context.service));
  else serveOperation(context, path, response);
}

function serveOperation(context: ServerContext, path: string, response: ServerResponse): void {
  const { service, cors, readHeaders } = context;
  const { req: request } = response;
  const headers = readHeaders(request.rawHeaders);
  const session = service.begin(headers.get("authorization"));
  context.onBegin(session);
  readBody(request, service.maxBodyBytes, (body) => {
    const onHang = () => context.markHanging(response);
    const onDisconnect = (callback: () => void) => response.once("close", callback);
    const method = request.method as string;
    const advice = isPreflight(request) ? CORS_ADVICE : undefined;
    const delivery = service.receive({ method, path, headers, body, advice, onHang, onDisconnect }, session);
    const send = (late: Delivery) => {
      try {
        deliver(cors ? withCors(late) : late, response);
      } catch (error) {
        // A response that Node rejects must fail only this request.
        deliver(NETWORK_ERROR, response);
        service.report(session, `${method} ${path}: the response cannot be sent: ${error}`, "change that response");
      }
    };
    if ("then" in delivery) delivery.then(send);
    else send(delivery);
  });
}

function isControl(path: string): boolean {
  return path === "/_mock" || path.startsWith("/_mock/") || path.startsWith("/_mock?");
}

/** Whether someone opened the URL of the mock in a browser, and so wants the console. */
function isPageVisit({ method, url, headers }: IncomingMessage): boolean {
  return url === "/" && method === "GET" && /\btext\/html\b/.test(headers.accept ?? "");
}

/** Handles CONNECT, for which node:http creates no response. The service rejects it like any other unknown method. */
export async function serveConnect(context: ServerContext, request: IncomingMessage, socket: Duplex): Promise<void> {
  const { service, readHeaders } = context;
  const headers = readHeaders(request.rawHeaders);
  const session = service.begin(headers.get("authorization"));
  // Node no longer reads from this socket; without `resume`, its end would go unnoticed.
  const onDisconnect = (callback: () => void) => socket.once("end", callback).once("close", callback).resume();
  const delivery = await service.receive(
    { method: "CONNECT", path: request.url as string, headers, body: "", onDisconnect },
    session,
  );
  // Every other delivery is a fault, which closes the connection.
  if (delivery.how === "reply") socket.end(encodeResponse(delivery), () => socket.destroy());
  else socket.destroy();
}

function methodsOf({ operations }: PlantStoreService): Set<string> {
  return new Set(operations.map(({ method }) => method));
}

/** The path and query of a request target, even if it is a whole URL. Source: RFC 9112, section 3.2.2. */
function readTarget(target: string): string {
  return target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?#]*\/?/i, "/");
}
