/** The parts of a socket that this reads. */
interface Connection {
  /** `h2` over HTTP/2. */
  readonly alpnProtocol?: unknown;
  emit(event: string, ...values: unknown[]): boolean;
}

type Connect<Options, Result extends readonly unknown[]> = (
  options: Options,
  callback: (...result: Result) => void,
) => void;

/**
 * Delays the end of the HTTP/2 connections that a connector of undici makes. If the end arrives together with the last
 * frames, Node emits `end` before the session has passed them all on, and undici destroys the connection at once: complete
 * responses would be lost, and with them a GOAWAY, which says which requests were not processed.
 */
export function delayEnds<Options, Result extends readonly [unknown, unknown]>(
  connect: Connect<Options, Result>,
): Connect<Options, Result> {
  return (options, callback) =>
    connect(options, (...result) => {
      const connection = result[1] as Connection | null;
      if (connection?.alpnProtocol === "h2") delayEnd(connection);
      callback(...result);
    });
}

function delayEnd(connection: Connection): void {
  const { emit } = connection;
  connection.emit = (event, ...values) => {
    if (event !== "end") return emit.call(connection, event, ...values);
    setImmediate(() => emit.call(connection, event));
    return true;
  };
}
