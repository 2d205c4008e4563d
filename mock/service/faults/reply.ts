import { encodeReply, noBodyRule, replyRules } from "../wire-reply.ts";
import { type FaultDefinition, replaced } from "./fault-definition.ts";

/** Any response, in place of the service's own. */
export type ReplyFault = {
  readonly type: "reply";
  /** The HTTP status, from 200 to 599. */
  readonly status: number;
  /** The response headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The response body: a string is sent as it is, any other value as JSON. */
  readonly body?: unknown;
};

export const reply = {
  type: "reply",
  title: "any response",
  description: "any status, headers and body",
  create: (fields: { status: number; headers?: Record<string, string> | undefined; body?: unknown }): ReplyFault => ({
    type: "reply",
    ...fields,
  }),
  fields: {
    status: {
      rule: replyRules.status,
      schema: { type: "integer", minimum: 200, maximum: 599 },
      form: { label: "Status", initial: 500 },
    },
    headers: { rule: replyRules.headers, schema: { type: "object", additionalProperties: { type: "string" } } },
    body: {
      rule: replyRules.body,
      schema: { description: "A string is sent as it is, any other value as JSON." },
      form: { label: "Body", initial: "oops" },
    },
  },
  check: noBodyRule,
  delivers: "response",
  apply: (fault, context) => replaced(encodeReply(fault), context),
} satisfies FaultDefinition<ReplyFault>;
