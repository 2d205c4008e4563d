import { type Rule, secret } from "./rules.ts";

/** Why a value is not a valid bearer token, or `undefined` if it is one. */
export const tokenProblem: Rule = (token) => {
  if (token === "") return "must not be empty";
  const hasScheme = typeof token === "string" && /^bearer\s/i.test(token);
  return hasScheme ? 'must be the token alone, without "Bearer "' : visible(token);
};

const visible: Rule = /* @__PURE__ */ secret("visible ASCII characters without spaces", /[^\x21-\x7e]/);
