import { encodeReply, noBodyRule, type Reply, replyRules } from "../wire-reply.ts";
import { type FaultDefinition, replaced } from "./fault-definition.ts";

/** Any response, in place of the service's own. */
export type ReplyFault = { readonly type: "reply" } & Readonly<Reply>;

export const reply = {
  title: "any response",
  description: "any status, headers and body",
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
