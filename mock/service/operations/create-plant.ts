import { isRecord } from "../../../src/checks/schema.ts";
import { encodePlant } from "../../../src/contract/json.ts";
import { CREATE_PLANT } from "../../../src/contract/operations.ts";
import { NEW_PLANT_NAMES, type NewPlant, validateNewPlant } from "../../../src/contract/plant.ts";
import { type Answer, CONFIGURED, JSON_HEADERS } from "../reply.ts";
import { readJsonBody } from "../request-body.ts";
import type { RequestContext } from "../request-context.ts";
import type { Operation } from "./operation.ts";

/** Source: contract, "POST /plants". */
export const createPlant: Operation = { ...CREATE_PLANT, query: [], answer };

function answer(context: RequestContext): Answer {
  const { session, options } = context;
  const body = readJsonBody(context, CREATE_PLANT.headers["content-type"]);
  if (body.refusal) return body.refusal;
  const { plant, issues } = readNewPlant(body.value, context);
  if (plant === undefined) return options.refuse("newPlant", issues);
  if (options.duplicateIds === "reject" && session.plants.has(plant.id)) {
    return options.refuse("duplicateId", `/id: ${plant.id} already exists; send an unused id`);
  }
  // The declared response is a Plant, without the id.
  const json = encodePlant(plant);
  session.plants.push(plant, json);
  return { how: "reply", status: 200, headers: JSON_HEADERS, body: json, source: context.success };
}

type ReadPlant = { plant: NewPlant; issues?: undefined } | { plant?: undefined; issues: string };

/** Validates the body. `issues` names each invalid field by its JSON pointer (RFC 6901), with its rule. */
function readNewPlant(body: unknown, context: RequestContext): ReadPlant {
  const result = validateNewPlant(body);
  const problems =
    result.issues?.map(({ path: [field], message }) => `${field ? `/${field}` : "body"}: ${message}`) ?? [];
  const { unknownFields } = context.options;
  for (const name of isRecord(body) ? Object.keys(body) : []) {
    if ((NEW_PLANT_NAMES as readonly string[]).includes(name)) continue;
    context.success = unknownFields === undefined ? { provenance: "assumed", assumption: "unknownFields" } : CONFIGURED;
    if (unknownFields !== "reject") break;
    const pointer = `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    problems.push(`${pointer}: is not a field of NewPlant; remove it`);
  }
  return problems.length === 0 && !result.issues ? { plant: result.value } : { issues: problems.join("; ") };
}
