import { createHash, timingSafeEqual } from "node:crypto";
import type { RequestHeaders } from "../../service/adapter.ts";
import { ControlError } from "./control-error.ts";

/** Who may control the mock. */
export interface GuardOptions {
  /** The host that the mock was told to listen on. */
  readonly host: string;
  /** The bearer token that a control call must carry. */
  readonly controlToken: string | undefined;
}

/**
 * Refuses a control call that may come from somebody else's web page. The page of another site shows itself by its
 * `Origin`; one that lets its own name resolve to this machine (DNS rebinding) by its `Host`.
 *
 * @throws {@link ControlError} with status 403.
 */
export function checkSource(headers: RequestHeaders, { host }: GuardOptions): void {
  const authority = headers.get("host")?.toLowerCase() ?? "";
  const name = authority.replace(/:\d*$/, "");
  if (!LOOPBACK.test(name) && name !== bracketed(host)) {
    throw new ControlError(
      403,
      `Host: must be localhost, a loopback address, or the host that the mock listens on (${host}); ` +
        `it is ${JSON.stringify(authority)}; start the mock with that host to control it from there`,
    );
  }
  const origin = headers.get("origin");
  if (origin != null && origin.toLowerCase() !== `http://${authority}`) {
    throw new ControlError(403, `Origin: must be the mock's own (http://${authority}), or absent; it is ${origin}`);
  }
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

function bracketed(host: string): string {
  return (host.includes(":") ? `[${host}]` : host).toLowerCase();
}

/**
 * Refuses a control call without the control token, where one is asked for.
 *
 * @throws {@link ControlError} with status 401.
 */
export function checkControlToken(headers: RequestHeaders, { controlToken }: GuardOptions): void {
  if (controlToken === undefined) return;
  const sent = headers.get("authorization") ?? "";
  if (timingSafeEqual(digest(sent), digest(`Bearer ${controlToken}`))) return;
  throw new ControlError(401, "Authorization: must be `Bearer <control token>`: the mock was started with one");
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
