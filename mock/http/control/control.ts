import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { MockPlantStore } from "../../service/mock-plant-store.ts";
import { JSON_HEADERS } from "../../service/reply.ts";
import { consoleFiles } from "../console/console.ts";
import { sendReply } from "../deliver.ts";
import { encodeExactJson } from "../exact-json.ts";
import { readBody } from "../read-body.ts";
import { WireHeaders } from "../wire-headers.ts";
import { ControlError } from "./control-error.ts";
import { controlDocument } from "./document.ts";
import { checkAccess, type GuardOptions } from "./guard.ts";
import { OpenSessions } from "./open-sessions.ts";
import { checkQuery, readOptions, sessionName } from "./read-call.ts";
import { INSTANCE_HEADER, isOptions, type Reply, type Route } from "./route.ts";
import { matchPath, routes } from "./routes.ts";

/** Handles one control call. `path` is the part after `/_mock`, with the query. */
export type Control = (path: string, request: IncomingMessage, response: ServerResponse) => void;

/** Creates the control API of a mock. */
export function createControl(mock: MockPlantStore, guard: GuardOptions): Control {
  const sessions = new OpenSessions(mock);
  const instance = randomUUID();
  return (path, request, response) => {
    const send = (status: number, headers: readonly string[], body: string) => {
      sendReply({ status, headers: [...PRIVATE_HEADERS, ...headers], body }, response);
    };
    const fail = (error: unknown) => {
      const { status, headers, message, code } = asControlError(error);
      send(status, [...JSON_HEADERS, ...headers], JSON.stringify({ error: code, message }));
    };
    readBody(request, MAX_BODY_BYTES, async (body) => {
      try {
        const headers = new WireHeaders(request.rawHeaders);
        const [pathname, search] = path.split("?", 2) as [string, string | undefined];
        const query = new URLSearchParams(search);
        const method = request.method === "HEAD" ? "GET" : (request.method as string);
        const page = method === "GET" ? pages[pathname] : undefined;
        if (page !== undefined) return send(200, page.headers, page.body);
        if (pathname === "") return send(308, ["Location", "/_mock/"], "");
        if (pathname !== "/health") checkAccess(headers, guard);
        const { route, name } = findRoute(method, pathname);
        checkInstance(headers, instance);
        checkQuery(query, route.query);
        const session = sessions.get(sessionName(query));
        const text = readText(body);
        const options = isOptions(route.body) ? readOptions(route.body, text) : {};
        const value = await route.handle({ mock, sessions, instance, session, query, name, body: text, options });
        if (value === undefined) return send(204, [], "");
        const { status, type } = successOf(route);
        if (typeof value !== "function") return send(status, ["Content-Type", type], encodeExactJson(value));
        response.writeHead(status, [...PRIVATE_HEADERS, "Content-Type", type]);
        if (request.method === "HEAD") response.end();
        else value(response);
      } catch (error) {
        fail(error);
      }
    });
  };
}

const MAX_BODY_BYTES = 2 ** 20;

/** Nobody may cache the response to a control call, and no other site may read it. */
const PRIVATE_HEADERS = [
  ...["Cache-Control", "no-store"],
  ...["X-Content-Type-Options", "nosniff"],
  ...["Cross-Origin-Resource-Policy", "same-origin"],
];

/** Files that need no access control, because they contain no data of the mock. */
const pages: Readonly<Record<string, { headers: readonly string[]; body: string }>> = {
  ...consoleFiles,
  "/openapi.json": { headers: JSON_HEADERS, body: JSON.stringify(controlDocument) },
};

function findRoute(method: string, pathname: string): { route: Route; name: string } {
  const allowed: string[] = [];
  for (const route of Object.values<Route>(routes)) {
    const name = matchPath(route, pathname);
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
  const [[status, { type = "application/json" }]] = Object.entries(replies) as [[string, Reply]];
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
