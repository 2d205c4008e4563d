// Not imported, for the reason that mock/http/node-http.ts gives.
const { request: requestHttp } = process.getBuiltinModule("node:http");
const { request: requestHttps } = process.getBuiltinModule("node:https");

/** The part of a `Response` that is observed. */
export interface RawReply extends Pick<Response, "status" | "headers"> {
  readonly body: AsyncIterable<Uint8Array> | null;
}

/**
 * Sends a request exactly once. Node's `fetch` repeats it after a 421, which nobody could count
 * (https://fetch.spec.whatwg.org/#http-network-or-cache-fetch). A redirect is not followed, so that the token reaches no
 * other host.
 */
export function sendOnce(url: string, { method, headers, body, signal }: RequestInit): Promise<RawReply> {
  const start = url.startsWith("https:") ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const request = start(url, {
      method: method as string,
      // A kept connection may be closed by the service just when the next request is sent.
      headers: { ...(headers as Record<string, string>), Connection: "close" },
      signal: signal as AbortSignal,
    });
    request.on("error", reject);
    request.on("response", (message) => {
      const { statusCode: status = 0 } = message;
      resolve({ status, headers: new Headers(message.headers as Record<string, string>), body: message });
    });
    request.end(body);
  });
}
