import { abortReason } from "./fetch-errors.ts";
import type { Exchange, Signal } from "./response.ts";

/**
 * Reads the body of a Request, which may be a stream without an end: up to one byte more than `maxBodyBytes`, which is
 * enough for a 413, or until a reset.
 *
 * @throws The reason of the signal if it is aborted; TypeError, as of Node's own fetch, if the body cannot be read.
 */
export async function readRequestBody(
  request: Request,
  { service, session, caller: { signal } }: Exchange,
): Promise<Uint8Array> {
  const { maxBodyBytes } = service.options;
  const { body } = request;
  // Some runtimes have no streams here, and node-fetch has those of Node.
  if (!body || !("getReader" in body)) return new Uint8Array(await readWhole(request, signal));
  const reader = body.getReader();
  const cancel = () => {
    reader.cancel().catch(() => {});
  };
  if (signal?.aborted) cancel();
  signal?.addEventListener("abort", cancel);
  session.onEnd.add(cancel);
  try {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (signal?.aborted) throw abortReason(signal); // What has arrived may look like a whole plant.
      if (done) return joined(chunks, length);
      if (!ArrayBuffer.isView(value)) throw new TypeError("a chunk of the request body is not a Uint8Array");
      chunks.push(value);
      length += value.byteLength;
      if (length <= maxBodyBytes) continue;
      cancel();
      return joined(chunks, length);
    }
  } catch (error) {
    throw signal?.aborted ? abortReason(signal) : unreadable(error);
  } finally {
    session.onEnd.delete(cancel);
    signal?.removeEventListener("abort", cancel);
  }
}

/** Reads the body of a Request that has no streams. */
function readWhole(request: Request, signal: Signal): Promise<ArrayBuffer> {
  const reading = request.arrayBuffer().catch((error) => {
    throw unreadable(error);
  });
  return untilAborted(reading, signal);
}

/** Settles as the promise does, or rejects as soon as the signal is aborted. */
export function untilAborted<Value>(promise: Promise<Value>, signal: Signal, onLeave?: () => void): Promise<Value> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      onLeave?.();
      reject(abortReason(signal));
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

function unreadable(cause: unknown): TypeError {
  return new TypeError("fetch failed", { cause });
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = chunks;
  if (first && chunks.length === 1) return first;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}
