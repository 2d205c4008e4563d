import type { RequestListener } from "node:http";
import { buffer } from "node:stream/consumers";
import { expect, onTestFinished } from "vitest";
import { run } from "../../../mock/calibrate/run.ts";
import { listen as listenUntilDisposed } from "../../listen.ts";
import { createHost } from "../http/process-host.ts";
import { type Choices, GeneratedService } from "./generated-service.ts";

export const TOKEN = "a-secret-of-the-sandbox";

/** Runs the command; resolves with its exit status and its output, in which no token is. */
export async function calibrate(url: string, flags: readonly string[] = [], host = createHost()) {
  const status = await run(["calibrate", url, "--token", TOKEN, "--yes", ...flags], host);
  const { stdout, stderr } = host.text;
  expect(stdout + stderr).not.toContain(TOKEN);
  return { status, stdout, stderr };
}

/** Listens on a free port until the test ends; resolves with the address. */
export async function listen(listener: RequestListener): Promise<string> {
  const server = await listenUntilDisposed(listener);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server.url;
}

/** When a service does not answer as it usually does. */
interface Trouble {
  /** The number of requests after which it closes every connection. */
  readonly diesAfter?: number;
  /** Which requests it answers with 429: each second, for example. */
  readonly busyEvery?: number;
}

/** Serves these choices. */
export async function serve(choices: Choices, { diesAfter = Infinity, busyEvery = Infinity }: Trouble = {}) {
  const service = new GeneratedService(choices, TOKEN);
  const served = { url: "", requests: 0, service };
  const origin = await listen(async (request, response) => {
    served.requests++;
    const bytes = await buffer(request);
    if (served.requests > diesAfter) return request.socket.destroy();
    if (served.requests % busyEvery === 0) return response.writeHead(429, { "Retry-After": "0" }).end();
    const { method = "", url: path = "", headers } = request;
    const { authorization, "content-type": type } = headers;
    const { status, headers: answered, body } = service.answer({ method, path, authorization, type, bytes });
    return response.writeHead(status, answered).end(body);
  });
  return Object.assign(served, { url: `${origin}/v2` });
}
