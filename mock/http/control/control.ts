import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { normalizeBaseUrl } from "../../../src/checks/http/base-url.ts";
import type { MockPlantStore, MockSession } from "../../service/mock-plant-store.ts";
import { splitTarget } from "../../service/router.ts";
import type { Service } from "../../service/service.ts";
import { JSON_HEADERS } from "../../service/wire-reply.ts";
import { consoleFiles } from "../console/console-files.ts";
import { sendReply } from "../deliver.ts";
import { encodeExactJson } from "../exact-json.ts";
import { receiveBody } from "../receive-request.ts";
import { type ControlCall, ControlError, type ControlRoute, INSTANCE_HEADER, VARIABLE } from "./control-route.ts";
import { checkQuery, readBody } from "./read-call.ts";
import { findSession, routes } from "./routes.ts";

/** The control API of a mock: handles one call. `path` is the part after `/_mock`, with the query. */
export type Control = (path: string, response: ServerResponse) => void;

/**
 * Creates the control API of a mock.
 *
 * @param checkAccess - Throws a {@link ControlError} for a call that is not allowed, by its headers.
 */
export function createControl(mock: MockPlantStore, service: Service, checkAccess: Context["checkAccess"]): Control {
  const context = { mock, service, checkAccess, instance: randomUUID() };
  return (path, response) => {
    receiveBody(response.req, MAX_BODY_BYTES, async (body) => {
      response.setHeader(INSTANCE_HEADER, context.instance);
      try {
        await handleCall(context, path, body, response);
      } catch (error) {
        const { status, headers, message, code } = asControlError(error);
        send(response, status, [...JSON_HEADERS, ...headers], JSON.stringify({ error: code, message }));
      }
    });
  };
}

interface Context extends Pick<ControlCall, "mock" | "service" | "instance"> {
  readonly checkAccess: (headers: IncomingHttpHeaders) => void;
}

async function handleCall(
  { checkAccess, ...shared }: Context,
  path: string,
  body: string | Buffer,
  response: ServerResponse,
): Promise<void> {
  const { req: request } = response;
  const { headers } = request;
  const [pathname, search] = splitTarget(path);
  const method = request.method === "HEAD" ? "GET" : (request.method as string);
  const page = method === "GET" ? consoleFiles[pathname] : undefined;
  if (page !== undefined) return send(response, 200, page.headers, page.body);
  if (pathname === "") return send(response, 308, ["Location", "_mock/"], "");
  if (pathname !== "/health") checkAccess(headers);
  const { route, name } = findRoute(method, pathname);
  checkInstance(headers[INSTANCE_HEADER.toLowerCase()], shared.instance);
  const query = new URLSearchParams(search);
  checkQuery(query, route.query);
  const { calls, state } = findSession(shared.service.sessions, query.get("session") ?? "root");
  const baseUrl = baseUrlAt(headers.host, shared.service.baseUrl);
  const session = calls as MockSession;
  const call = { ...shared, baseUrl, session, state, query, name, body: readBody(route, readText(body)) };
  const value = await route.handle(call);
  if (value === undefined) return send(response, 204, [], "");
  send(response, route.status ?? 200, JSON_HEADERS, encodeExactJson(value));
}

/** The base URL as the caller reaches the mock, whose port a container may have mapped. A prefix is not known. */
function baseUrlAt(host: string | undefined, baseUrl: string): string {
  const own = new URL(baseUrl);
  const reached = `http://${host}${own.pathname}`;
  const isHost = host !== undefined && !/[/?#@\\]/.test(host) && URL.canParse(reached);
  return isHost ? normalizeBaseUrl(reached) : baseUrl;
}

function send(response: ServerResponse, status: number, headers: readonly string[], body: string): void {
  sendReply({ status, headers: [...PRIVATE_HEADERS, ...headers], body }, response);
}

const MAX_BODY_BYTES = 2 ** 20;

/** Nobody may cache the response to a control call, and no other site may read it. */
const PRIVATE_HEADERS = [
  ...["Cache-Control", "no-store"],
  ...["X-Content-Type-Options", "nosniff"],
  ...["Cross-Origin-Resource-Policy", "same-origin"],
];

function findRoute(method: string, pathname: string): { route: ControlRoute; name: string } {
  const allowed: string[] = [];
  for (const route of Object.values<ControlRoute>(routes)) {
    const name = nameIn(route, pathname);
    if (name === undefined) continue;
    if (route.method === method) return { route, name };
    allowed.push(route.method);
  }
  if (allowed.length === 0) {
    throw new ControlError(404, `/_mock${pathname}: unknown path of the control API`);
  }
  const allow = allowed.join(", ");
  throw new ControlError(405, `${method} /_mock${pathname}: must be ${allow}`, ["Allow", allow]);
}

/** The variable part of a path; "" if the route has none, `undefined` if it is not a path of the route. */
function nameIn({ path }: ControlRoute, pathname: string): string | undefined {
  const [before, after] = path.split(VARIABLE) as [string, string | undefined];
  if (after === undefined) return pathname === path ? "" : undefined;
  if (!pathname.startsWith(before) || !pathname.endsWith(after)) return undefined;
  const name = pathname.slice(before.length, pathname.length - after.length);
  return name === "" || name.includes("/") ? undefined : name;
}

function checkInstance(expected: string | string[] | undefined, instance: string): void {
  if (expected === undefined || expected === instance) return;
  throw new ControlError(410, "the mock has been restarted since this connection was made; connect again");
}

function readText(body: string | Buffer): string {
  if (body.length > MAX_BODY_BYTES) throw new ControlError(413, `body: must be at most ${MAX_BODY_BYTES} bytes`);
  if (typeof body === "string") return body;
  throw new ControlError(400, "body: must be valid UTF-8");
}

/** The mock throws an Error for a conflict with its state. Any other is its own mistake. */
function asControlError(error: unknown): ControlError {
  if (error instanceof ControlError) return error;
  const { constructor: kind, message } = error as Error;
  if (kind === Error) return new ControlError(409, message);
  return new ControlError(500, `internal error of the mock: ${message}; please report it`);
}
