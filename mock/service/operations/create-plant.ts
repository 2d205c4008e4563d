import { isRecord } from "../../../src/checks/schema.ts";
import { CREATE_PLANT } from "../../../src/contract/operations.ts";
import { NEW_PLANT_NAMES, type ValidNewPlant } from "../../../src/contract/plant.ts";
import { type Answer, CONFIGURED } from "../answer.ts";
import type { Operation, RequestContext } from "../operation.ts";
import { readJsonBody } from "../operation.ts";
import { encodePlant } from "../plant-json.ts";
import type { BodyJson } from "../request.ts";
import { JSON_HEADERS } from "../wire-reply.ts";

/** Source: contract, "POST /plants". */
export const createPlant: Operation = { ...CREATE_PLANT, query: [], answer };

function answer(context: RequestContext): Answer {
  const { session, options } = context;
  const { json, refusal } = readJsonBody(context, CREATE_PLANT.headers["content-type"]);
  if (refusal !== undefined) return refusal;
  const { plant, problems } = readNewPlant(json, context);
  if (plant === undefined) return options.refuse("newPlant", problems);
  if (options.rejectsDuplicateIds && session.plants.has(plant.id)) {
    return options.refuse("duplicateId", `/id: ${plant.id} already exists; send an unused id`);
  }
  session.plants.push(plant);
  options.simulation?.onStored(plant);
  // The declared response is a Plant, without the id.
  return { how: "reply", status: 200, headers: JSON_HEADERS, body: encodePlant(plant), source: context.success };
}

type PlantOrProblems = { plant: ValidNewPlant; problems?: undefined } | { plant?: undefined; problems: string };

/** Reads the plant. `problems` names each invalid field by its JSON pointer (RFC 6901), with its rule. */
function readNewPlant({ value, plant }: BodyJson, context: RequestContext): PlantOrProblems {
  const problems =
    plant.issues?.map(({ path: [field], message }) => `${field ? `/${field}` : "body"}: ${message}`) ?? [];
  const { unknownFields } = context.options;
  for (const name of isRecord(value) ? Object.keys(value) : []) {
    if ((NEW_PLANT_NAMES as readonly string[]).includes(name)) continue;
    context.success = unknownFields === undefined ? { provenance: "assumed", assumption: "unknownFields" } : CONFIGURED;
    if (unknownFields !== "reject") break;
    const pointer = `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    problems.push(`${pointer}: is not a field of NewPlant; remove it`);
  }
  return problems.length === 0 && !plant.issues ? { plant: plant.value } : { problems: problems.join("; ") };
}
