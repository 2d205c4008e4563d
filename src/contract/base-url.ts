/** Either the base URL without trailing slashes, or the rule that it breaks. */
export type ReadBaseUrl = { readonly baseUrl: string } | { readonly problem: string };

/** Reads the address of the service: an http or https URL, whose path is a prefix of the operations' paths. */
export function readBaseUrl(value: unknown): ReadBaseUrl {
  if (typeof value !== "string" && !(value instanceof URL)) return { problem: "must be a string or a URL" };
  let url: URL;
  try {
    url = new URL(value);
  } catch {
    return { problem: "must be an absolute URL, such as https://plants.example/v1" };
  }
  const { protocol, username, password, search, hash, origin, pathname } = url;
  if (!/^https?:/.test(protocol)) return { problem: "must begin with http:// or https://" };
  if (username || password) return { problem: "must not contain a user name or password" };
  if (search || hash) return { problem: "must not contain a query or fragment" };
  let end = pathname.length;
  while (pathname[end - 1] === "/") end--;
  return { baseUrl: origin + pathname.slice(0, end) };
}

/** Whether a bearer token would travel unencrypted beyond this machine: plain http, except to a loopback host. */
export function isInsecure(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === "http:" && !/^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Whether `fetch` refuses the port of a URL. Source: https://fetch.spec.whatwg.org/#port-blocking */
export function hasBlockedPort(baseUrl: string): boolean {
  return BLOCKED_PORTS.includes(` ${new URL(baseUrl).port} `);
}

const BLOCKED_PORTS =
  " 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135 " +
  "137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719 " +
  "1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080 ";
