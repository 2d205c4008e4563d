import { expect, vi } from "vitest";
import { run } from "../../../mock/calibrate/run.ts";
import { createHost } from "../http/process-host.ts";
import { type Choices, createService } from "./generated-service.ts";

export const URL = "https://sandbox.test/v2";
export const TOKEN = "a-secret-of-the-sandbox";

/** Runs the command; resolves with its exit status and its output, in which no token is. */
export async function calibrate(flags: readonly string[], url = URL, host = createHost()) {
  const status = await run(["calibrate", url, "--token", TOKEN, "--yes", ...flags], host);
  const { stdout, stderr } = host.text;
  expect(stdout + stderr).not.toContain(TOKEN);
  return { status, stdout, stderr };
}

/** Puts a service with these choices into the place of every server. */
export function serve(choices: Choices, busyEvery?: number) {
  const service = createService(choices, TOKEN, busyEvery);
  vi.stubGlobal("fetch", service.fetch);
  return service;
}
