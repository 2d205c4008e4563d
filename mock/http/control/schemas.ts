import { faultDefinitions } from "../../service/faults/fault.ts";
import type { FaultDefinition } from "../../service/faults/fault-definition.ts";
import { int32, int64, list, object, plantFields, type Schema, schemaRef, string } from "./schema.ts";

/** The schemas in the components of the document. */
export const schemas: Readonly<Record<string, Schema>> = {
  NewPlant: object(plantFields, ["tag"]),
  Error: object({ error: int32(), message: string() }),
  Session: object({
    session: string("The name of the session."),
    baseUrl: string("The address of the service."),
    label: string("The label of its bearer token."),
  }),
  Fault: {
    oneOf: Object.values<FaultDefinition>(faultDefinitions)
      .filter(({ cannot }) => !cannot.includes("http"))
      .map(describeFault),
  },
  QueuedFault: object(
    {
      name: string("The name of the fault."),
      fault: schemaRef("Fault"),
      times: { oneOf: [{ type: "integer", minimum: 1 }, { const: "unlimited" }] },
      used: { type: "integer", minimum: 0, description: "How many requests it has affected." },
      when: { oneOf: [object(plantFields, Object.keys(plantFields)), { const: "function" }] },
    },
    ["when"],
  ),
  Gate: object({
    name: string("The name of the gate."),
    arrived: { type: "integer", minimum: 0, description: "How many requests have arrived at it." },
    held: list(object({ method: string(), path: string(), id: int64() }, ["id"])),
  }),
  RecordedRequest: object(
    {
      number: { type: "integer", minimum: 1, description: "Counts the requests since the last reset." },
      at: { type: "number", description: "When it arrived, in milliseconds since the epoch." },
      method: string(),
      path: string(),
      params: {
        type: "object",
        additionalProperties: string(),
        description: "The variables in the path, if the path of the operation has any.",
      },
      headers: { type: "object", additionalProperties: string() },
      bodyText: string("The first 16,384 characters of the body."),
      token: string("The label of the bearer token."),
      plant: schemaRef("NewPlant"),
      fault: schemaRef("Fault"),
      status: { type: "integer" },
      reply: { type: "object" },
      provenance: { enum: ["declared", "assumed", "injected"] },
      assumption: string(),
      durationMs: { type: "number" },
      isDropped: { type: "boolean", description: "Whether headers and bodies are no longer kept." },
      why: string("The reason for the response; only for a single request."),
    },
    [
      "params",
      "token",
      "plant",
      "fault",
      "status",
      "reply",
      "provenance",
      "assumption",
      "durationMs",
      "isDropped",
      "why",
    ],
  ),
};

/** The schema of a fault. The console builds its form from the titles and defaults of the fields. */
function describeFault({ type, description, delivers, fields }: FaultDefinition): Schema {
  const all = Object.entries(fields);
  const properties = all.map(([name, { schema, form }]) => {
    return [name, { ...schema, ...(form && { title: form.label, default: form.initial }) }];
  });
  const optional = all.filter(([, { rule }]) => rule(undefined) === undefined).map(([name]) => name);
  return {
    ...object({ type: { const: type }, ...Object.fromEntries(properties) }, optional),
    description,
    "x-delivers": delivers,
  };
}
