import { type Rule, secret } from "./rules.ts";

/** A header's name. Source: RFC 9110, section 5.1. */
export const headerName: Rule = (name) =>
  /^[\w!#$%&'*+.^`|~-]+$/.test(name as string) ? undefined : "is not a valid header name";

/** A header's value. Source: RFC 9110, section 5.5. */
export const headerValue: Rule = /* @__PURE__ */ secret(
  "Latin-1 characters without line breaks",
  /[^\t\x20-\x7e\x80-\xff]/,
);

const visible: Rule = /* @__PURE__ */ secret("visible ASCII characters without spaces", /[^\x21-\x7e]/);

/** A bearer token, as the value of the Authorization header after its scheme. */
export const tokenProblem: Rule = (token) => {
  if (token === "") return "must not be empty";
  const hasScheme = typeof token === "string" && /^bearer\s/i.test(token);
  return hasScheme ? 'must be the token alone, without "Bearer "' : visible(token);
};
