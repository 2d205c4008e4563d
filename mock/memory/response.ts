import { headerPairs, NO_BODY, type ReplyDelivery } from "../service/wire-reply.ts";
import { abortReason, connectionReset, terminated } from "./network-errors.ts";

/** The request of a response, as far as the response depends on it. */
export interface AnsweredRequest {
  readonly method: string;
  /** The object with the signal of the caller, which the response keeps in memory. */
  readonly caller: { readonly signal?: AbortSignal | null | undefined };
  /** Begins a wait in a stalled body, by virtual time. */
  readonly waiter: (() => () => void) | undefined;
  /** Called when the caller abandons a stalled body. */
  readonly disconnect: (() => void) | undefined;
}

/** Creates the `Response` for a delivery. */
export function createResponse(delivery: ReplyDelivery, request: AnsweredRequest): Response {
  const { status, body } = delivery;
  const headers = headerPairs(delivery.headers);
  if (NO_BODY.has(status) || request.method === "HEAD") return new Response(null, { status, headers });
  // Bytes, because Response would label a string text/plain. With a Content-Length, because without one MSW 3 retains
  // about 50 kB per response.
  const bytes = new TextEncoder().encode(body);
  headers.push(["Content-Length", `${bytes.byteLength}`]);
  return new Response(bodyOf(delivery, bytes, request), { status, headers });
}

function bodyOf(delivery: ReplyDelivery, bytes: Uint8Array<ArrayBuffer>, request: AnsweredRequest): BodyInit {
  const half = () => bytes.slice(0, bytes.byteLength / 2);
  switch (delivery.how) {
    case "reply":
      return bytes;
    case "truncatedBody":
      return truncated(half());
    case "stalledBody":
      return stalled(half(), delivery.ended, request);
  }
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
  { caller, waiter, disconnect }: AnsweredRequest,
): ReadableStream<Uint8Array> {
  const listening = new AbortController();
  const { signal } = caller;
  let endWait: (() => void) | undefined;
  return new ReadableStream({
    start(controller) {
      const onAbort = () => {
        // By this use of `caller`: a Request that is collected forgets the signal of its caller (nodejs/undici#3644).
        controller.error(abortReason(caller.signal as AbortSignal));
        endWait?.();
        disconnect?.();
      };
      if (signal?.aborted) return onAbort();
      signal?.addEventListener("abort", onAbort, { signal: listening.signal });
      controller.enqueue(half);
      // If the stream has already failed with an abort, this has no effect.
      ended.then(() => {
        controller.error(connectionReset());
        endWait?.();
      });
    },
    pull: () => {
      // Its reader has read the half, and waits.
      endWait ??= waiter?.();
    },
    cancel: () => {
      listening.abort();
      endWait?.();
      disconnect?.();
    },
  });
}
