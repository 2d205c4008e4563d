import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { MockPlantStore } from "../../service/mock-plant-store.ts";
import { JSON_HEADERS } from "../../service/reply.ts";
import { splitTarget } from "../../service/router.ts";
import { type ConsoleFile, consoleFiles } from "../console/console.ts";
import { sendReply } from "../deliver.ts";
import { encodeExactJson } from "../exact-json.ts";
import { readBody } from "../read-body.ts";
import { WireHeaders } from "../wire-headers.ts";
import { ControlError } from "./control-error.ts";
import { controlDocument } from "./document.ts";
import { checkAccess, type GuardOptions } from "./guard.ts";
import { OpenSessions } from "./open-sessions.ts";
import { checkQuery, readOptions } from "./read-call.ts";
import { type ControlCall, INSTANCE_HEADER, type Route, type RouteReply } from "./route.ts";
import { nameIn, routes } from "./routes.ts";

/** The control API of a mock. */
export interface Control {
  /** Handles one call. `path` is the part after `/_mock`, with the query. */
  handle(path: string, request: IncomingMessage, response: ServerResponse): void;
  /** Ends the streams of events, for which a server that is closing would otherwise wait. */
  endStreams(): void;
}

/** Creates the control API of a mock. */
export function createControl(mock: MockPlantStore, guard: GuardOptions): Control {
  const streams = new Set<ServerResponse>();
  const context = { mock, guard, sessions: new OpenSessions(mock), instance: randomUUID(), streams };
  const latest = new WeakMap<Socket, Promise<void>>();
  const handle: Control["handle"] = (path, request, response) => {
    readBody(request, MAX_BODY_BYTES, async (body) => {
      const { socket } = request;
      const previous = latest.get(socket);
      latest.set(socket, new Promise((resolve) => response.on("close", resolve)));
      // A client may send a thousand calls at once and read none of the responses: only one of them is in memory.
      await previous;
      if (socket.destroyed) return;
      response.setHeader(INSTANCE_HEADER, context.instance);
      try {
        await respond(context, path, body, response);
      } catch (error) {
        const { status, headers, message, code } = asControlError(error);
        send(response, status, [...JSON_HEADERS, ...headers], JSON.stringify({ error: code, message }));
      }
    });
  };
  const endStreams = () => {
    for (const stream of streams) stream.end();
  };
  return { handle, endStreams };
}

interface Context extends Pick<ControlCall, "mock" | "sessions" | "instance"> {
  readonly guard: GuardOptions;
  readonly streams: Set<ServerResponse>;
}

async function respond(
  { guard, streams, ...shared }: Context,
  path: string,
  body: string | Buffer,
  response: ServerResponse,
): Promise<void> {
  const { req: request } = response;
  const headers = new WireHeaders(request.rawHeaders);
  const [pathname, search] = splitTarget(path);
  const method = request.method === "HEAD" ? "GET" : (request.method as string);
  const page = method === "GET" ? pages[pathname] : undefined;
  if (page !== undefined) return send(response, 200, page.headers, page.body);
  if (pathname === "") return send(response, 308, ["Location", "/_mock/"], "");
  if (pathname !== "/health") checkAccess(headers, guard);
  const { route, name } = findRoute(method, pathname);
  checkInstance(headers, shared.instance);
  const query = new URLSearchParams(search);
  checkQuery(query, route.query);
  const session = shared.sessions.get(query.get("session") ?? "root");
  const text = readText(body);
  const options = readOptions(route, text);
  const value = await route.handle({ ...shared, session, query, name, body: text, options });
  const { status, type } = successOf(route);
  if (value === undefined) send(response, 204, [], "");
  else if (typeof value !== "function") send(response, status, ["Content-Type", type], encodeExactJson(value));
  else {
    openStream(streams, response, status, type);
    if (request.method === "HEAD") response.end();
    else value(response);
  }
}

/** Begins a response that stays open. */
function openStream(streams: Set<ServerResponse>, response: ServerResponse, status: number, type: string): void {
  if (streams.size === MAX_STREAMS) {
    throw new ControlError(429, `at most ${MAX_STREAMS} event streams; close one first`);
  }
  response.shouldKeepAlive = false; // Its connection closes with it.
  response.writeHead(status, [...PRIVATE_HEADERS, "Content-Type", type]);
  streams.add(response);
  response.on("close", () => streams.delete(response));
}

function send(response: ServerResponse, status: number, headers: readonly string[], body: string): void {
  sendReply({ status, headers: [...PRIVATE_HEADERS, ...headers], body }, response);
}

/** Each may keep a mebibyte for a slow reader. */
const MAX_STREAMS = 50;

const MAX_BODY_BYTES = 2 ** 20;

/** Nobody may cache the response to a control call, and no other site may read it. */
const PRIVATE_HEADERS = [
  ...["Cache-Control", "no-store"],
  ...["X-Content-Type-Options", "nosniff"],
  ...["Cross-Origin-Resource-Policy", "same-origin"],
];

/** Files that need no access control, because they contain no data of the mock. */
const pages: Readonly<Record<string, ConsoleFile>> = {
  ...consoleFiles,
  "/openapi.json": { headers: JSON_HEADERS, body: JSON.stringify(controlDocument) },
};

function findRoute(method: string, pathname: string): { route: Route; name: string } {
  const allowed: string[] = [];
  for (const route of Object.values<Route>(routes)) {
    const name = nameIn(route, pathname);
    if (name === undefined) continue;
    if (route.method === method) return { route, name };
    allowed.push(route.method);
  }
  if (allowed.length === 0) {
    throw new ControlError(404, `/_mock${pathname}: unknown path of the control API; see /_mock/openapi.json`);
  }
  const allow = allowed.join(", ");
  throw new ControlError(405, `${method} /_mock${pathname}: must be ${allow}`, ["Allow", allow]);
}

/** The status and media type of a result: those of the first reply, because numeric keys are in ascending order. */
function successOf({ replies }: Route): { status: number; type: string } {
  const [[status, { type = "application/json" }]] = Object.entries(replies) as [[string, RouteReply]];
  return { status: Number(status), type };
}

function checkInstance(headers: WireHeaders, instance: string): void {
  const expected = headers.get(INSTANCE_HEADER.toLowerCase());
  if (expected === undefined || expected === instance) return;
  throw new ControlError(410, "the mock has been restarted since this connection was made; connect again");
}

function readText(body: string | Buffer): string {
  if (body.length > MAX_BODY_BYTES) throw new ControlError(413, `body: must be at most ${MAX_BODY_BYTES} bytes`);
  if (typeof body === "string") return body;
  throw new ControlError(400, "body: must be valid UTF-8");
}

/** The mock throws a TypeError for invalid input, and an Error for a conflict with its state. */
function asControlError(error: unknown): ControlError {
  if (error instanceof ControlError) return error;
  return new ControlError(error instanceof TypeError ? 400 : 409, (error as Error).message);
}
