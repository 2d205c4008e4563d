/** How often undici sends a PING, which a live HTTP/2 connection answers. */
export const PING_MS = 10_000;
/** A connection is dead if nothing arrives on it during this many consecutive checks. */
const SILENT_CHECKS = 3;

/** The parts of a socket that this uses. */
interface Connection {
  /** `h2` over HTTP/2. */
  readonly alpnProtocol?: unknown;
  readonly bytesRead: number;
  emit(event: string, ...values: unknown[]): boolean;
  once(event: "close", listener: () => void): unknown;
  destroy(error: Error): unknown;
}

/** A stream of any HTTP/2 client of the process. */
interface Stream {
  readonly id?: number;
  readonly session: Session;
  close(code?: number, callback?: () => void): void;
  on(event: "error", listener: (error: object) => void): unknown;
}

interface Session {
  readonly socket: { readonly [GUARDED]?: true };
  [LAST_STREAM]?: number;
  on(event: "goaway", listener: (code: number, lastStream: number) => void): unknown;
}

/** Marks the connections that are guarded. */
const GUARDED = Symbol("plant-store-client.guarded");
/** The last stream that the service may process: that of the last GOAWAY. */
const LAST_STREAM = Symbol("plant-store-client.lastStream");

/** The errors of streams that a GOAWAY leaves out. */
const leftOut = new WeakSet<object>();

/** Whether a GOAWAY left out the stream that failed with this error. */
export function isLeftOut(error: unknown): boolean {
  return leftOut.has(error as object);
}
const STREAM_CREATED = "http2.client.stream.created";
/** The error code CANCEL (RFC 9113, section 7). */
const CANCEL = 8;

type Connect<Options, Result extends readonly unknown[]> = (
  options: Options,
  callback: (...result: Result) => void,
) => void;

/** Guards the HTTP/2 connections that a connector of undici makes. */
export function guardHttp2<Options, Result extends readonly [unknown, unknown]>(
  connect: Connect<Options, Result>,
): Connect<Options, Result> {
  const channels = process.getBuiltinModule("node:diagnostics_channel");
  // Once for all transports.
  channels.unsubscribe(STREAM_CREATED, guardStream);
  channels.subscribe(STREAM_CREATED, guardStream);
  return (options, callback) =>
    connect(options, (...result) => {
      const connection = result[1] as Connection | null;
      if (connection?.alpnProtocol === "h2") {
        Object.defineProperty(connection, GUARDED, { value: true });
        delayEnd(connection);
        destroyIfSilent(connection);
      }
      callback(...result);
    });
}

function guardStream(message: unknown): void {
  const { stream } = message as { readonly stream: Stream };
  if (!stream.session.socket[GUARDED]) return;
  cancelOnClose(stream);
  watchGoaway(stream);
}

/**
 * A service that shuts down gracefully sends two GOAWAYs, of which the second one names the last stream (RFC 9113, section
 * 6.8). Undici heeds only the first one, so a stream that the second leaves out fails with the code REFUSED_STREAM.
 */
function watchGoaway(stream: Stream): void {
  const { session } = stream;
  if (session[LAST_STREAM] === undefined) {
    session[LAST_STREAM] = Number.POSITIVE_INFINITY;
    session.on("goaway", (_code, lastStream) => {
      session[LAST_STREAM] = lastStream;
    });
  }
  stream.on("error", (error) => {
    if ((stream.id as number) > (session[LAST_STREAM] as number)) leftOut.add(error);
  });
}

/**
 * Undici aborts a request by `close()` and `destroy()` of its stream. If the service has not yet let the whole body through,
 * `close()` without an error code waits for that before it resets the stream, `destroy()` removes the stream, and Node
 * writes empty frames for it forever: the process freezes, and its memory grows (after nodejs/undici#5559). With a code, the
 * stream is reset at once.
 */
function cancelOnClose(stream: Stream): void {
  const { close } = stream;
  stream.close = (code = CANCEL, callback) => close.call(stream, code, callback);
}

/**
 * If the end arrives together with the last frames, Node emits `end` before the session has passed them all on, and undici
 * destroys the connection at once: complete responses would be lost, and with them a GOAWAY, which says which requests
 * were not processed.
 */
function delayEnd(connection: Connection): void {
  const { emit } = connection;
  connection.emit = (event, ...values) => {
    if (event !== "end") return emit.call(connection, event, ...values);
    setImmediate(() => emit.call(connection, event));
    return true;
  };
}

/**
 * A request that is aborted leaves the connection open, so later ones would be sent on a dead one. Undici looks for that
 * only after its own timeouts, which the client's deadline replaces. Checks are counted, because a process that was stopped
 * makes a single one when it continues.
 */
function destroyIfSilent(connection: Connection): void {
  let { bytesRead } = connection;
  let silentChecks = 0;
  const timer = setInterval(() => {
    silentChecks = connection.bytesRead === bytesRead ? silentChecks + 1 : 0;
    bytesRead = connection.bytesRead;
    if (silentChecks < SILENT_CHECKS) return;
    connection.destroy(
      Object.assign(new Error("The service no longer answers on the HTTP/2 connection"), { code: "ETIMEDOUT" }),
    );
  }, PING_MS);
  timer.unref();
  connection.once("close", () => clearInterval(timer));
}
