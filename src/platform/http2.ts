/**
 * What proves over HTTP/2 that the service did not process a request: a GOAWAY whose last stream id is below the id of the
 * request's stream (RFC 9113, sections 6.8 and 8.7).
 *
 * Nothing else does: gateways send REFUSED_STREAM for a request that they have forwarded (haproxy/haproxy#3414), and
 * undici closes streams with the same code by itself.
 */

/** The part of a request that tells it from another caller's. */
export interface RequestTarget {
  readonly origin?: unknown;
  readonly path?: unknown;
  readonly method?: unknown;
}

/** The message of Node's channel, which does not exist before Node 22.17 and 24.3. */
interface StreamCreated {
  readonly stream: { readonly id: number; readonly session: Session };
  readonly headers: Readonly<Record<string, unknown>>;
}

interface Session {
  on(event: "goaway", listener: (code: number, lastStreamId: number) => void): void;
}

/** Called when a request is written to a stream, with the function that says whether the service refused to process it. */
type OnStream = (isUnprocessed: () => boolean) => void;

/** The lowest last stream id of each session's GOAWAYs: a second one may take back what the first one granted. */
const lastIds = new WeakMap<Session, { lowest: number }>();

let isObserving = false;
let starting: { readonly target: RequestTarget; readonly onStream: OnStream } | undefined;

/** Called before a request over TLS, without which undici does not speak HTTP/2. */
export function observeStreams(): void {
  if (isObserving) return;
  isObserving = true;
  process.getBuiltinModule("diagnostics_channel").subscribe("http2.client.stream.created", (message) => {
    const { stream, headers } = message as StreamCreated;
    // Another caller's stream may be created in the same turn.
    if (!starting || !isOf(starting.target, headers)) return;
    const { onStream } = starting;
    starting = undefined;
    const ids = lastIdsOf(stream.session);
    onStream(() => stream.id > ids.lowest);
  });
}

/** Pairs a request with its stream, which undici creates right after it has called the hook. */
export function expectStream(target: RequestTarget, onStream: OnStream): void {
  starting = { target, onStream };
  // Over HTTP/1.1, no stream is created.
  queueMicrotask(() => {
    starting = undefined;
  });
}

function isOf({ method, origin, path }: RequestTarget, headers: StreamCreated["headers"]): boolean {
  const target = `${headers[":scheme"]}://${headers[":authority"]}`;
  return headers[":method"] === method && headers[":path"] === path && target === origin;
}

function lastIdsOf(session: Session): { lowest: number } {
  const known = lastIds.get(session);
  if (known) return known;
  const ids = { lowest: Number.POSITIVE_INFINITY };
  lastIds.set(session, ids);
  session.on("goaway", (_code, lastId) => {
    ids.lowest = Math.min(ids.lowest, lastId);
  });
  return ids;
}
