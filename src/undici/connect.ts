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
  readonly session: { readonly socket: { readonly [GUARDED]?: true } };
  close(code?: number, callback?: () => void): void;
}

/** Marks the connections that are guarded. */
const GUARDED = Symbol("plant-store-client.guarded");
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
  channels.unsubscribe(STREAM_CREATED, cancelOnClose);
  channels.subscribe(STREAM_CREATED, cancelOnClose);
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

/**
 * Undici aborts a request by `close()` and `destroy()` of its stream. If the service has not yet let the whole body through,
 * `close()` without an error code waits for that before it resets the stream, `destroy()` removes the stream, and Node
 * writes empty frames for it forever: the process freezes, and its memory grows (after nodejs/undici#5559). With a code, the
 * stream is reset at once.
 */
function cancelOnClose(message: unknown): void {
  const { stream } = message as { readonly stream: Stream };
  if (!stream.session.socket[GUARDED]) return;
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
