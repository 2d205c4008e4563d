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
