import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { isLoopback } from "../../../src/checks/http/base-url.ts";
import { ControlError } from "./control-route.ts";

/** The options that decide who may control the mock. */
export interface GuardOptions {
  readonly host: string;
  readonly controlToken: string | undefined;
}

/** Whether the control API is off, because other machines can reach the mock and nothing protects it from them. */
export function isControlOff({ host, controlToken }: GuardOptions): boolean {
  return controlToken === undefined && !isLoopback(bracketed(host));
}

/**
 * Rejects a control call that someone else, or a web page of another site, may have sent.
 *
 * @throws {@link ControlError} with status 401 or 403.
 */
export function checkAccess(headers: IncomingHttpHeaders, options: GuardOptions): void {
  if (options.controlToken !== undefined) {
    // No page of another site knows it. Behind a proxy that ends TLS, the console's own origin is not that of the mock.
    checkControlToken(headers, options.controlToken);
  } else {
    checkOrigin(headers);
    if (isControlOff(options)) throw new ControlError(403, CONTROL_OFF);
    checkHost(headers);
  }
}

/** Explains why the control API is off, and how to turn it on. */
export const CONTROL_OFF =
  "the control API is off, because other machines can reach this mock and it has no control token; " +
  "start it with --control-token";

/** Rejects calls from web pages of other sites, recognized by headers that a browser sends. */
function checkOrigin(headers: IncomingHttpHeaders): void {
  const { origin, host } = headers;
  const own = `http://${host?.toLowerCase()}`;
  if (origin !== undefined && origin.toLowerCase() !== own) {
    throw new ControlError(403, `Origin: must be the mock's own (${own}), or absent; received ${origin}`);
  }
  // A page may send GET without `Origin`, in mode no-cors. Following a link is harmless.
  const site = headers["sec-fetch-site"] ?? "none";
  if (site === "none" || site === "same-origin" || headers["sec-fetch-dest"] === "document") return;
  throw new ControlError(403, `Sec-Fetch-Site: must be same-origin or none; received ${site}`);
}

function checkControlToken(headers: IncomingHttpHeaders, controlToken: string): void {
  const { authorization = "" } = headers;
  const token = /^bearer /i.test(authorization) ? authorization.slice("bearer ".length).trim() : "";
  if (timingSafeEqual(digest(token), digest(controlToken))) return;
  throw new ControlError(
    401,
    "Authorization: must be `Bearer <control token>`; use the token that the mock was started with",
  );
}

/** Rejects DNS rebinding (calls from a web site whose name resolves to this machine), recognized by its `Host`. */
function checkHost({ host = "" }: IncomingHttpHeaders): void {
  if (isLoopback(host.toLowerCase().replace(/:\d*$/, ""))) return;
  throw new ControlError(
    403,
    `Host: must be localhost or a loopback address; received ${JSON.stringify(host)}; ` +
      "call it under such a name, or start it with --control-token",
  );
}

/** A host as it appears in URLs and in `Host`. */
export function bracketed(host: string): string {
  return (host.includes(":") ? `[${host}]` : host).toLowerCase();
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
