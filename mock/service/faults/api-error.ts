import { int32, required, string } from "../../../src/checks/rules.ts";
import { JSON_HEADERS } from "../wire-reply.ts";
import { type FaultDefinition, replaced } from "./fault-definition.ts";

/** The service rejects the request: status 400 with an Error body. */
export type ApiErrorFault = {
  readonly type: "apiError";
  /** The `error` value in the response body, an int32. */
  readonly code: number;
  /** The `message` in the response body. */
  readonly message: string;
};

export const apiError = {
  type: "apiError",
  title: "an error response",
  description: "status 400 with an error body",
  create: (code: number, message: string): ApiErrorFault => ({ type: "apiError", code, message }),
  fields: {
    code: {
      rule: required(int32),
      schema: { type: "integer", format: "int32" },
      form: { label: "Error value", initial: 1 },
    },
    message: { rule: required(string), schema: { type: "string" }, form: { label: "Message", initial: "no such tag" } },
  },
  delivers: "response",
  apply({ code, message }, context) {
    const body = JSON.stringify({ error: code, message });
    return replaced({ status: 400, headers: JSON_HEADERS, body }, context);
  },
} satisfies FaultDefinition<ApiErrorFault>;
