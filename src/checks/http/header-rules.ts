import { type Rule, secret } from "../rules.ts";

/** A header's name. Source: RFC 9110, section 5.1. */
export const headerName: Rule = (name) =>
  /^[\w!#$%&'*+.^`|~-]+$/.test(name as string) ? undefined : "is not a valid header name";

/** A header's value. Source: RFC 9110, section 5.5. */
export const headerValue: Rule = /* @__PURE__ */ secret(
  "Latin-1 characters without line breaks",
  /[^\t\x20-\x7e\x80-\xff]/,
);

const visible: Rule = /* @__PURE__ */ secret("visible ASCII characters without spaces", /[^\x21-\x7e]/);

/** What is pasted in place of a token, or around one; each with the fix. */
const PASTED: readonly (readonly [pattern: RegExp, problem: string])[] = [
  [/^$/, "must not be empty"],
  [/^bearer\s/i, 'must be the token alone, without "Bearer "'],
  [/^(?:".*"|'.*'|`.*`)$/s, "must be the token alone, without quotes"],
  [/^(?:\$\{.*\}|\{\{.*\}\}|<.*>|\$[A-Z_]+)$/s, "is a placeholder: put the token in its place"],
  [/^(?:undefined|null)$/, "is the name of a missing value: set the token"],
];

/** A bearer token, as the value of the Authorization header after its scheme. */
export const tokenProblem: Rule = (token) => {
  const [, problem] = (typeof token === "string" && PASTED.find(([pattern]) => pattern.test(token))) || [];
  return problem ?? visible(token);
};
