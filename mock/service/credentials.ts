/** The bearer token in an Authorization header, or why there is none. */
export type Credentials =
  | { readonly token: string; readonly problem?: undefined }
  | { readonly token?: undefined; readonly problem: "missing" | "other" | "several" | "malformed" };

const MISSING: Credentials = { problem: "missing" };
const OTHER: Credentials = { problem: "other" };
const SEVERAL: Credentials = { problem: "several" };
const MALFORMED: Credentials = { problem: "malformed" };

/**
 * Reads an Authorization header. Several headers arrive joined by a comma, which no bearer token contains.
 *
 * Source: RFC 6750, section 2.1; the scheme is case-insensitive by RFC 9110, section 11.1.
 */
export function readCredentials(authorization: string | null | undefined): Credentials {
  if (!authorization) return MISSING;
  if (authorization.includes(",")) return SEVERAL;
  const token = /^bearer[ \t]+(.+)/i.exec(authorization)?.[1];
  if (token === undefined) return OTHER;
  return /\s/.test(token) ? MALFORMED : { token };
}

/** The Authorization header with a label in place of each possible secret. */
export function labelCredentials(authorization: string, labelOf: (secret: string) => string): string {
  return authorization
    .split(",")
    .map((part) => {
      const [scheme, ...secret] = part.trim().split(/[ \t]+/) as [string, ...string[]];
      if (secret.length > 0) return `${scheme} ${labelOf(secret.join(" "))}`;
      return scheme === "" || /^bearer$/i.test(scheme) ? scheme : labelOf(scheme);
    })
    .join(", ");
}
