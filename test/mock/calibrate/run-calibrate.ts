import type { RequestListener } from "node:http";
import { buffer } from "node:stream/consumers";
import { expect, onTestFinished } from "vitest";
import { run } from "../../../mock/calibrate/run.ts";
import { listen as listenUntilDisposed } from "../../listen.ts";
import { createHost } from "../http/process-host.ts";
import { type Choices, GeneratedService, type Rejection } from "./generated-service.ts";

export const TOKEN = "a-secret-of-the-sandbox";

/** Runs the command; resolves with its exit status and its output, in which no token is. */
export async function calibrate(url: string, flags: readonly string[] = [], host = createHost()) {
  const token = flags.includes("--token") ? [] : ["--token", TOKEN];
  const status = await run(["calibrate", url, ...token, "--yes", ...flags], host);
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

/** What a service does in place of its own answer to the request of a number, counted from 1. */
export type Trouble = (count: number) => Rejection | "reset" | undefined;

/** Serves these choices. */
export async function serve(choices: Choices, { trouble = () => undefined }: { trouble?: Trouble | undefined } = {}) {
  const service = new GeneratedService(choices, TOKEN);
  const served = { url: "", requests: 0, service };
  const origin = await listen(async (request, response) => {
    served.requests++;
    const bytes = await buffer(request);
    const other = trouble(served.requests);
    if (other === "reset") return request.socket.destroy();
    if (other) return response.writeHead(other.status, other.headers).end(other.body);
    const { method = "", url: path = "", headers } = request;
    const { authorization, "content-type": type } = headers;
    const { status, headers: answered, body } = service.answer({ method, path, authorization, type, bytes });
    return response.writeHead(status, answered).end(body);
  });
  return Object.assign(served, { url: `${origin}/v2` });
}
