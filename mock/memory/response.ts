import type { ReplyDelivery } from "../service/delivery.ts";
import { NO_BODY } from "../service/reply.ts";
import { abortReason, connectionReset, terminated } from "./network-errors.ts";

/** The request of a response, as far as the response depends on it. */
export interface AnsweredRequest {
  readonly method: string;
  readonly signal?: AbortSignal | null | undefined;
}

/**
 * Creates the `Response` for a delivery, in memory and for MSW.
 *
 * @param disconnect - Called when the caller abandons a stalled body.
 */
export function createResponse(delivery: ReplyDelivery, request: AnsweredRequest, disconnect?: () => void): Response {
  const { status, headers: flat, body } = delivery;
  const headers: [string, string][] = [];
  for (let i = 0; i < flat.length; i += 2) headers.push([flat[i] as string, flat[i + 1] as string]);
  if (NO_BODY.has(status) || request.method === "HEAD") return new Response(null, { status, headers });
  // Bytes, because Response would label a string text/plain. With a Content-Length, because without one MSW 3 retains
  // about 50 kB per response.
  const bytes = new TextEncoder().encode(body);
  headers.push(["Content-Length", `${bytes.byteLength}`]);
  if (delivery.how === "reply") return new Response(bytes, { status, headers });
  const half = bytes.slice(0, bytes.byteLength / 2);
  const stream = delivery.how === "stalledBody" ? stalled(half, delivery.ended, request, disconnect) : truncated(half);
  return new Response(stream, { status, headers });
}

function truncated(half: Uint8Array): ReadableStream<Uint8Array> {
  let isSent = false;
  return new ReadableStream({
    pull(controller) {
      if (isSent) controller.error(terminated());
      else controller.enqueue(half);
      isSent = true;
    },
  });
}

function stalled(
  half: Uint8Array,
  ended: Promise<void>,
  request: AnsweredRequest,
  disconnect?: () => void,
): ReadableStream<Uint8Array> {
  const listening = new AbortController();
  const { signal } = request;
  return new ReadableStream({
    start(controller) {
      const onAbort = () => {
        // `request` is kept in memory by this use: a Request holds the signal of its caller only weakly (nodejs/undici#3644).
        controller.error(abortReason(request.signal as AbortSignal));
        disconnect?.();
      };
      if (signal?.aborted) return onAbort();
      signal?.addEventListener("abort", onAbort, { signal: listening.signal });
      controller.enqueue(half);
      // If the stream has already failed with an abort, this has no effect.
      ended.then(() => controller.error(connectionReset()));
    },
    cancel: () => {
      listening.abort();
      disconnect?.();
    },
  });
}
