import { headerPairs, NO_BODY, type ReplyDelivery } from "../service/wire-reply.ts";
import { builtinModule } from "../time/runtime.ts";
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

/** Makes a response one that `fetch` has received: with the URL of its request, and with headers that cannot be changed. */
export function asFetched(response: Response, url: string | undefined): Response {
  if (url === undefined) return response;
  const { headers, clone } = response;
  Object.defineProperties(headers, IMMUTABLE);
  return Object.defineProperties(response, {
    url: { value: url.replace(/#.*/, "") },
    clone: { value: () => asFetched(clone.call(response), url) },
  });
}

const refuseChange = {
  value: () => {
    throw new TypeError("immutable");
  },
};
const IMMUTABLE: PropertyDescriptorMap = { append: refuseChange, delete: refuseChange, set: refuseChange };

/** Creates the `Response` for a delivery. */
export function createResponse(delivery: ReplyDelivery, request: AnsweredRequest): Response {
  const { status, body } = delivery;
  const headers = headerPairs(delivery.headers);
  const statusText = reasonPhrase(status);
  if (NO_BODY.has(status) || request.method === "HEAD") return new Response(null, { status, statusText, headers });
  // Bytes, because Response would label a string text/plain. With a Content-Length, because without one MSW 3 retains
  // about 50 kB per response.
  const bytes = new TextEncoder().encode(body);
  headers.push(["Content-Length", `${bytes.byteLength}`]);
  return new Response(bodyOf(delivery, bytes, request), { status, statusText, headers });
}

/** What Node sends after the status. A page may have none, as over HTTP/2. */
function reasonPhrase(status: number): string {
  phrases ??= builtinModule<{ readonly STATUS_CODES: Phrases }>("node:http")?.STATUS_CODES ?? {};
  return phrases[status] ?? "";
}

type Phrases = Readonly<Record<number, string>>;
let phrases: Phrases | undefined;

function bodyOf(delivery: ReplyDelivery, bytes: Uint8Array<ArrayBuffer>, request: AnsweredRequest): BodyInit {
  const half = () => bytes.slice(0, bytes.byteLength / 2);
  switch (delivery.how) {
    case "reply":
      return bytes;
    case "truncatedBody":
      return truncated(half());
    case "stalledBody":
      return stalled(half(), delivery.ended as Promise<void>, request);
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
