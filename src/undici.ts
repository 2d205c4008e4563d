/**
 * A transport for Node that is faster than the global `fetch`.
 *
 * @module plant-store-client/undici
 */

import type { Dispatcher } from "undici";
import * as undici from "undici";
import { type DispatchWatch, isMock, WATCHED } from "#platform";
import { abortReason } from "./call/abort.ts";
import { peerProblem } from "./checks/installed/peer.ts";
import { integer, mustBe, type Rules } from "./checks/rules.ts";
import { checkOptions, configError, throwIfProblem } from "./config-error.ts";
import { toRawHeaders } from "./undici/headers.ts";
import { UndiciReply } from "./undici/reply.ts";

/** Options of {@link createUndiciFetch}. Passing `undefined` equals omitting the option. */
export interface UndiciFetchOptions {
  /**
   * The maximum number of sockets per origin, 1 or more.
   *
   * @defaultValue no limit
   */
  connections?: number | undefined;
  /**
   * The application's own dispatcher (a proxy, a mock) instead of a new Agent; `close` leaves it open. It must neither
   * follow redirects nor retry a POST by itself, because then no error would prove that nothing was sent.
   *
   * @defaultValue a new Agent of undici
   */
  dispatcher?: Dispatcher | undefined;
}

/** A `fetch` that keeps connections open. */
export interface UndiciFetch {
  /** Sends a request. */
  (url: string, init: RequestInit): Promise<Response>;
  /** Closes the connections after the requests in flight. The application's own dispatcher stays open. */
  close(): Promise<void>;
}

/**
 * Creates a transport for Node that is faster than the global `fetch`: undici's `dispatch` over HTTP/1.1, behind the
 * client's `fetch` option, with the same errors and outcomes. It needs the package undici, 7 or 8.
 *
 * It serves the client only: it resolves to an object with the parts of a Response that the client reads. MSW does not
 * intercept it: test with `mock.fetch`, or with the HTTP adapter of the mock.
 *
 * @param options - How to connect.
 * @returns The value for the client's `fetch` option.
 * @throws A `PlantStoreConfigError` if an option is invalid, or if the runtime has no undici (Bun).
 *
 * @example
 * {@includeCode ../docs/code/undici.ts#transport}
 */
export function createUndiciFetch(options: UndiciFetchOptions = {}): UndiciFetch {
  throwIfProblem(
    "createUndiciFetch",
    peerProblem("undici", import.meta.url, "7 or 8", (major) => major >= 7),
  );
  const { connections = null, dispatcher } = checkOptions(options, RULES);
  const agent = dispatcher ?? new undici.Agent({ connections, allowH2: false });
  // Bun has an undici of its own, whose Agent does nothing; every call would fail, and look as if it had been sent.
  if (!agent.dispatch) throw configError("dispatcher", "cannot be created in this runtime: use the global fetch");
  // A dispatcher of the application's own may speak HTTP/2, as any Agent of undici 8 does.
  const mayResend = dispatcher !== undefined && !isMock(dispatcher);

  let closing: Promise<void> | undefined;
  const undiciFetch = (url: string, init: RequestInit) =>
    new Promise<Response>((resolve, reject) => {
      if (init.signal?.aborted) throw abortReason(init.signal);
      const respond = (reply: UndiciReply) => resolve(reply as unknown as Response);
      const { dispatcher: watch } = init as { readonly dispatcher?: DispatchWatch };
      const request = requestOf(new URL(url), init);
      watch?.enter(agent, request, !dispatcher);
      if (mayResend) preventResend(request);
      agent.dispatch(request, new UndiciReply(respond, reject, init.signal, watch));
    });
  return Object.assign(undiciFetch, {
    [WATCHED]: true,
    close: () => {
      // Undici rejects a second `close`.
      closing ??= dispatcher ? Promise.resolve() : agent.close();
      return closing;
    },
  });
}

function requestOf(
  { origin, pathname, search }: URL,
  { method, headers, body }: RequestInit,
): Dispatcher.DispatchOptions {
  return {
    origin,
    path: `${pathname}${search}`,
    method: method as Dispatcher.HttpMethod,
    headers: toRawHeaders(headers),
    body: body as string,
    // The client's deadline covers both; undici's default of 300 seconds would cut a longer one short.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
}

/**
 * Over HTTP/2 undici sends a request again by itself, also one that the service may have processed, unless its body can be
 * read only once: it takes an iterable for such a body.
 */
function preventResend(request: Dispatcher.DispatchOptions): void {
  const { body } = request;
  if (typeof body !== "string") return;
  (request.headers as string[]).push("content-length", `${Buffer.byteLength(body)}`);
  request.body = [body] as never;
}

const RULES: Rules<UndiciFetchOptions> = {
  connections: integer(1),
  dispatcher: mustBe(
    "a Dispatcher of undici",
    (value) => typeof (value as Partial<Dispatcher> | null)?.dispatch === "function",
  ),
};
