import type { MockSession } from "plant-store-client/mock";
import { expect } from "vitest";

/** A response as a raw client sees it, without the typed client in between. */
export interface Raw {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
}

/** Posts a body to /plants with the token of the session; `init` overrides all of it. */
export async function post(session: MockSession, body: BodyInit | null, init: RequestInit = {}): Promise<Raw> {
  const headers = { Authorization: `Bearer ${session.token}`, "Content-Type": "application/json" };
  return read(await session.fetch(`${session.baseUrl}/plants`, { method: "POST", headers, body, ...init }));
}

/** The whole response. Checks Content-Length against the body, and omits it from the headers. */
export async function read(response: Response): Promise<Raw> {
  const { status } = response;
  const { "content-length": length = "0", ...headers } = Object.fromEntries(response.headers);
  const text = await response.text();
  expect(length).toBe(`${Buffer.byteLength(text)}`);
  return { status, headers, text };
}

/** The promise's rejection. */
export async function rejection(promise: Promise<unknown>): Promise<Error & { code?: string }> {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error("the promise was fulfilled");
}
