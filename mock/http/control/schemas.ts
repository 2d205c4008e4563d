import type { FaultRow } from "../../service/faults/fault-table.ts";
import { faultTable } from "../../service/faults/fault-table.ts";
import { BODY_TEXT_LIMIT } from "../../service/request.ts";
import { count, int32, object, options, plantFields, type Schema, schemaRef, string } from "./json-schema.ts";

const delivered: Schema = {
  enum: ["response", "half", "end", "nothing"],
  description:
    "What the client receives because of the fault: the response, half of it, the end of the connection, or nothing.",
};

/** The fields of every recorded request, in full and in lists. */
const always: Readonly<Record<string, Schema>> = {
  number: count("The position of the request, counted from 1 since the requests were last cleared.", 1),
  at: { type: "number", description: "When it arrived, in milliseconds since the Unix epoch." },
  method: string(),
  path: string(),
};

/** The fields that depend on the request, and on whether it is over. */
const sometimes: Readonly<Record<string, Schema>> = {
  token: string("The label of the bearer token."),
  plant: schemaRef("NewPlant"),
  status: { type: "integer" },
  assumption: string(),
  durationMs: { type: "number", description: "From arrival to response, in milliseconds; absent while it is open." },
};

export const schemas: Readonly<Record<string, Schema>> = {
  NewPlant: object(plantFields("required"), plantFields("optional")),
  Error: object({ error: int32(), message: string() }),
  Fault: {
    oneOf: Object.entries<FaultRow>(faultTable)
      .filter(([, { isInMemoryOnly }]) => !isInMemoryOnly)
      .map(([type, definition]) => faultSchema(type, definition)),
  },
  QueuedFault: object(
    {
      number: count("Its position among the faults of the session since the last reset, which messages show.", 1),
      name: string("The name of the fault."),
      fault: schemaRef("Fault"),
      times: { oneOf: [{ type: "integer", minimum: 1 }, { const: "unlimited" }] },
      used: count("How many requests it has affected."),
    },
    { when: { oneOf: [object({}, plantFields("all")), { const: "function" }] } },
  ),
  Gate: object({
    name: string("The name of the gate."),
    arrived: count("How many requests have arrived at it."),
    held: count("How many requests wait at it."),
  }),
  RecordedRequest: object(
    {
      ...always,
      headers: { type: "object", additionalProperties: string() },
      bodyText: string(`The first ${BODY_TEXT_LIMIT.toLocaleString("en")} characters of the body.`),
    },
    {
      ...sometimes,
      params: {
        type: "object",
        additionalProperties: string(),
        description: "The values of the path parameters, if the operation has any.",
      },
      fault: schemaRef("Fault"),
      reply: { type: "object" },
      provenance: { enum: ["declared", "assumed", "injected"] },
      why: string("The reason for the response; only for a single request."),
    },
  ),
  RequestSummary: object(
    { ...always, delivers: delivered },
    { ...sometimes, fault: string("The fault that affected it, in words.") },
  ),
};

/** The schema of a fault. The console builds its form from the fields that have a title and a default. */
function faultSchema(type: string, { title, description, fields }: FaultRow): Schema {
  const required: Record<string, Schema> = { type: { const: type } };
  const optional: Record<string, Schema> = {};
  for (const [name, { schema, form, rule }] of Object.entries(fields)) {
    const target = rule(undefined) === undefined ? optional : required;
    target[name] = { ...schema, ...(form && { title: form.label, default: form.initial }) };
  }
  return { ...options(required, optional), title, description };
}
