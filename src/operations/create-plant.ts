import type { Client } from "../call/openapi-fetch.ts";
import type { Operation } from "../call/operation.ts";
import { encodeNewPlant } from "../contract/encode-new-plant.ts";
import type { paths } from "../contract/openapi.ts";
import { CREATE_PLANT } from "../contract/operations.ts";
import { type Plant, type ValidNewPlant, validateNewPlant, validatePlant } from "../contract/plant.ts";

/** Creates a plant (contract, "Endpoints"). */
export const createPlant: Operation<ValidNewPlant, Plant> = {
  ...CREATE_PLANT,
  inputName: "plant",
  unknownOutcome: "the plant may exist",
  isIdempotent: false,
  validateInput: validateNewPlant,
  validateOutput: validatePlant,
  send(api: Client<paths>, body, fetch) {
    return api[CREATE_PLANT.method](CREATE_PLANT.path, { body, bodySerializer: encodeNewPlant, fetch });
  },
};
