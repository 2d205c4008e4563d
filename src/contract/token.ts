/** Why a value is not a valid bearer token, or `undefined` if it is one. */
export function tokenProblem(token: unknown): string | undefined {
  if (typeof token !== "string") return "must be a string";
  if (token === "") return "must not be empty";
  if (/^bearer\s/i.test(token)) return 'must be the token alone, without "Bearer "';
  if (!/^[\x21-\x7e]+$/.test(token)) return "must be visible ASCII characters, without spaces and line breaks";
  return undefined;
}
