import { isRecord } from "../../../src/checks/objects.ts";
import type { Issue } from "../../../src/checks/schema.ts";
import { CREATE_PLANT } from "../../../src/contract/operations.ts";
import { NEW_PLANT_NAMES } from "../../../src/contract/plant.ts";
import type { Operation, RequestContext } from "../operation.ts";
import { checkJsonBody } from "../operation.ts";
import { encodePlant } from "../plant-json.ts";
import type { RequestBody } from "../request.ts";
import { CONFIGURED, type ServiceReply } from "../service-reply.ts";
import { JSON_HEADERS } from "../wire-reply.ts";

/** Source: contract, "POST /plants". */
export const createPlant: Operation = { ...CREATE_PLANT, query: [], handle };

function handle(context: RequestContext): ServiceReply {
  const { session, options } = context;
  const refusal = checkJsonBody(context, CREATE_PLANT.headers["content-type"]);
  if (refusal !== undefined) return refusal;
  const { value, plant } = context.record.body.json as NonNullable<RequestBody["json"]>;
  const unknown = findUnknownFields(value, context);
  if (plant.issues) return options.refuse("newPlant", [...plant.issues.map(describeIssue), ...unknown].join("; "));
  if (unknown.length > 0) return options.refuse("unknownFields", unknown.join("; "));
  if (options.rejectsDuplicateIds && session.plants.has(plant.value.id)) {
    return options.refuse("duplicateId", `/id: ${plant.value.id} already exists; send an unused id`);
  }
  session.plants.push(plant.value);
  options.simulation?.onStored(plant.value);
  // The declared response is a Plant, without the id.
  return { how: "reply", status: 200, headers: JSON_HEADERS, body: encodePlant(plant.value), source: context.success };
}

/** The field by its JSON pointer (RFC 6901), with its rule. */
function describeIssue({ path: [field], message }: Issue): string {
  return `${field ? `/${field}` : "body"}: ${message}`;
}

/** The problem of each field that the contract does not name, if the options say that they are rejected. */
function findUnknownFields(value: unknown, context: RequestContext): string[] {
  const { unknownFields } = context.options;
  const problems: string[] = [];
  for (const name of isRecord(value) ? Object.keys(value) : []) {
    if ((NEW_PLANT_NAMES as readonly string[]).includes(name)) continue;
    context.success = unknownFields === undefined ? { provenance: "assumed", assumption: "unknownFields" } : CONFIGURED;
    if (unknownFields !== "reject") break;
    const pointer = `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    problems.push(`${pointer}: is not a field of NewPlant; remove it`);
  }
  return problems;
}
