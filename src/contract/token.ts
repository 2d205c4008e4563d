/** Why a value cannot stand in an Authorization header as a bearer token, or `undefined` if it can. */
export function tokenProblem(token: unknown): string | undefined {
  if (typeof token !== "string") return "must be a string";
  if (token === "") return "must not be empty";
  if (/^bearer\s/i.test(token)) return 'must be the token alone, without "Bearer "';
  if (!/^[\x21-\x7e]+$/.test(token)) return "must be visible ASCII characters, without spaces and line breaks";
  return undefined;
}
