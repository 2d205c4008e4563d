import { describe, kindOf } from "./describe.ts";

/** Either the base URL without trailing slashes, or the rule that it breaks. */
export type ReadBaseUrl =
  | { readonly baseUrl: string; readonly problem?: undefined }
  | { readonly baseUrl?: undefined; readonly problem: string };

/** Reads the address of the service: an http or https URL, whose path is a prefix of the operations' paths. */
export function readBaseUrl(value: unknown): ReadBaseUrl {
  // Not `instanceof`: under jsdom, the URL of node:url is not the global one.
  const text = typeof value === "string" ? value : (value as Partial<URL> | null | undefined)?.href;
  if (typeof text !== "string") return { problem: `must be a string or a URL, not ${kindOf(value)}` };
  const url = parseHttpUrl(text);
  if (!url) return { problem: `must be an http or https URL, such as https://plants.example${received(text)}` };
  const { username, password, search, hash, origin, pathname } = url;
  if (username || password) return { problem: "must not contain a user name or password" };
  if (search || hash) return { problem: "must not contain a query or fragment" };
  let end = pathname.length;
  while (pathname[end - 1] === "/") end--;
  // An own field: a polluted `Object.prototype` must not add it.
  return { baseUrl: origin + pathname.slice(0, end), problem: undefined };
}

function parseHttpUrl(text: string): URL | undefined {
  try {
    const url = new URL(text);
    return /^https?:/.test(url.protocol) ? url : undefined;
  } catch {
    return undefined;
  }
}

/** An invalid URL, for a message; empty if it may hold a password, or be a token in the wrong place. */
export function received(url: string): string {
  return /@|[^.:/]{16}/.test(url) ? "" : `, not ${describe(url)}`;
}

/** Whether a bearer token would travel unencrypted beyond this machine: plain http, except to a loopback host. */
export function isInsecure(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === "http:" && !isLoopback(hostname);
}

/**
 * Whether a host, as a URL contains it, is this machine. An IPv4 address mapped to IPv6 does not count, as in browsers.
 *
 * Source: https://w3c.github.io/webappsec-secure-contexts/#is-origin-trustworthy
 */
export function isLoopback(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost\.?|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/** A host as sockets and the system name it: an IPv6 address has brackets only in a URL. */
export function withoutBrackets(host: string): string {
  return host.replace(/[[\]]/g, "");
}
