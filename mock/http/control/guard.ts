import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { isLoopback } from "../../../src/checks/http/base-url.ts";
import { ControlError } from "./control-route.ts";

/** Why the control API of a mock on this host is off, and how to turn it on; undefined if it is on. */
export function whyOff(host: string, controlToken: string | undefined): string | undefined {
  if (controlToken !== undefined || isLoopback(bracketed(host))) return undefined;
  return (
    "the control API is off, because other machines can reach this mock and it has no control token; " +
    "start it with --control-token"
  );
}

/**
 * Rejects a control call that someone else, or a web page of another site, may have sent.
 *
 * @throws {@link ControlError} with status 401 or 403.
 */
export function checkAccess(headers: IncomingHttpHeaders, host: string, controlToken: string | undefined): void {
  if (controlToken !== undefined) {
    // No page of another site knows it. Behind a proxy that ends TLS, the console's own origin is not that of the mock.
    checkControlToken(headers, controlToken);
  } else {
    checkOrigin(headers);
    const reason = whyOff(host, controlToken);
    if (reason !== undefined) throw new ControlError(403, reason);
    checkHost(headers);
  }
}

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
