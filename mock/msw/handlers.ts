// A name that an older MSW lacks would fail before anything could say which version is needed.

import type { HttpHandler } from "msw";
import * as msw from "msw";
import { kindOf } from "../../src/checks/describe.ts";
import { peerProblem } from "../../src/checks/installed/peer.ts";
import { isRecord } from "../../src/checks/objects.ts";
import { corsHeaders, isPreflight, preflightHeaders } from "../memory/cors.ts";
import type { MockPlantStore } from "../service/mock-plant-store.ts";
import { pathUnder } from "../service/router.ts";

/**
 * Creates MSW handlers for every request under the base URL of a mock, including unknown paths. MSW cannot reproduce the
 * fault `connectionRefused`: such a request fails with a network error, and `verify` fails too.
 *
 * @param mock - From `createMockPlantStore()`.
 * @returns The handlers, for `setupServer(...)`, `setupWorker(...)` or `use(...)`.
 * @throws TypeError if the value is not a mock.
 * @throws Error if the installed MSW is too old.
 *
 * @example
 * {@includeCode ../../docs/code/testing/msw.ts}
 */
export function createHandlers(mock: MockPlantStore): HttpHandler[] {
  if (!isRecord(mock) || typeof mock.handle !== "function") {
    throw new TypeError(
      "mock: must come from createMockPlantStore() or a setup function of plant-store-client/mock; " +
        `received ${kindOf(mock)}`,
    );
  }
  if ("clock" in mock) throw new TypeError("mock: has virtual time, which does not wait for requests through MSW");
  return handlersOf(mock);
}

/**
 * Creates the handlers. They use only public members of the mock, because an ESM mock must work with CommonJS handlers,
 * which are a different copy of this code.
 *
 * @param accepts - Whether the mock handles a path under the base URL; if not, the request is left to MSW.
 */
export function handlersOf(
  mock: Pick<MockPlantStore, "baseUrl" | "handle">,
  accepts = (_path: string) => true,
): HttpHandler[] {
  checkVersion();
  const buffers = isBuffered();
  const isForMock = ({ request }: { request: Request }) => {
    const path = pathUnder(mock.baseUrl, request.url);
    return path !== undefined && accepts(path);
  };
  return [msw.http.all(isForMock, ({ request }) => respond(mock, request, buffers))];
}

/**
 * Never throws: MSW turns an error that a resolver throws into a 500 with a stack trace. In jsdom and happy-dom, MSW 3 sees
 * the preflight of an XMLHttpRequest, which then reads the CORS headers of the response.
 */
async function respond(mock: Pick<MockPlantStore, "handle">, request: Request, buffers: boolean): Promise<Response> {
  const get = (name: string) => headerOf(request, name);
  if (isPreflight(request.method, get)) return new Response(null, { status: 204, headers: preflightHeaders(get) });
  try {
    const response = await mock.handle(request);
    if (get("origin")) addCors(response.headers);
    return buffers ? await readFully(response) : response;
  } catch {
    return msw.HttpResponse.error();
  }
}

/** A header as it was sent. happy-dom's Request leaves out those that a page may not set, MSW's own list does not. */
function headerOf({ headers }: Request, name: string): string | undefined {
  const list = Object.getOwnPropertySymbols(headers).find(({ description }) => description === "kRawHeaders");
  const raw: readonly (readonly [name: string, value: string])[] = list ? Reflect.get(headers, list) : [];
  return headers.get(name) ?? raw.find(([other]) => other.toLowerCase() === name)?.[1];
}

function addCors(headers: Headers): void {
  for (const [name, value] of corsHeaders([...headers.keys()])) headers.set(name, value);
}

/** @throws Error if the installed MSW is too old. In a page, its version is unknown. */
function checkVersion(): void {
  const isWanted = (major: number, minor: number) => major > 2 || (major === 2 && minor >= 11);
  const problem = peerProblem("msw", import.meta.url, WANTED, isWanted) ?? ("http" in msw ? undefined : NEEDED);
  if (problem !== undefined) throw new Error(`the mock ${problem}`);
}

const WANTED = "2.11 or later, or 3";
const NEEDED = `needs msw ${WANTED}`;

async function readFully(response: Response): Promise<Response> {
  return response.body === null ? response : new Response(await response.arrayBuffer(), response);
}

/**
 * Whether MSW reads a whole body before it passes it to its service worker, because a stream cannot be transferred: in
 * WebKit. If that body failed, MSW would pass on nothing, and the request would never end.
 */
function isBuffered(): boolean {
  if (!("ServiceWorkerContainer" in globalThis)) return false;
  const { port1 } = new MessageChannel();
  const stream = new ReadableStream();
  try {
    port1.postMessage(stream, [stream]);
    return false;
  } catch {
    return true;
  } finally {
    port1.close();
  }
}
