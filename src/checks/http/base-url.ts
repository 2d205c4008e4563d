import { describe, kindOf } from "../describe.ts";
import type { Rule } from "../rules.ts";

/** The address of the service: an http or https URL, whose path is a prefix of the operations' paths. */
export const baseUrlProblem: Rule = (value) => {
  const text = textOf(value);
  if (typeof text !== "string") return `must be a string or a URL, not ${kindOf(value)}`;
  const url = parseHttpUrl(text);
  if (!url) return `must be an http or https URL, such as https://plants.example${received(text)}`;
  if (url.username || url.password) return "must not contain a user name or password";
  return url.search || url.hash ? "must not contain a query or fragment" : undefined;
};

/** A valid base URL without trailing slashes. */
export function normalizeBaseUrl(valid: string | URL): string {
  const { origin, pathname } = new URL(textOf(valid) as string);
  let end = pathname.length;
  while (pathname[end - 1] === "/") end--;
  return origin + pathname.slice(0, end);
}

/** The text of a URL. Not by `instanceof`: under jsdom, the URL of node:url is not the global one. */
const textOf = (value: unknown): unknown => (value as Partial<URL> | null | undefined)?.href ?? value;

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

/** Why `fetch` blocks the port of a URL, if it does. Source: https://fetch.spec.whatwg.org/#port-blocking */
export function portProblem(baseUrl: string): string | undefined {
  const { port } = new URL(baseUrl);
  return BLOCKED_PORTS.includes(` ${port} `) ? `has port ${port}, which fetch blocks: use another` : undefined;
}

const BLOCKED_PORTS =
  " 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135 " +
  "137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719 " +
  "1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080 ";
