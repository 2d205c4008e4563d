import { encodeNewPlant } from "../contract/json.ts";
import { CREATE_PLANT } from "../contract/operations.ts";
import { type NewPlant, type Plant, type ValidNewPlant, validateNewPlant, validatePlant } from "../contract/plant.ts";
import type { Operation } from "./operation.ts";

/** There are no query parameters, but openapi-fetch would allocate an array to serialize them. */
const noQuery = () => "";

/** Creates a plant (contract, "Endpoints"). */
export const createPlant: Operation<NewPlant, ValidNewPlant, Plant> = {
  ...CREATE_PLANT,
  inputName: "plant",
  unknownOutcome: "the plant may exist",
  isRepeatable: false,
  validateInput: validateNewPlant,
  validateOutput: validatePlant,
  send: (api, body, fetch) =>
    api[CREATE_PLANT.method](CREATE_PLANT.path, {
      // Or openapi-fetch would read them from a polluted `Object.prototype`: another address would receive the token.
      baseUrl: "",
      parseAs: "json",
      body,
      bodySerializer: encodeNewPlant,
      querySerializer: noQuery,
      fetch,
    }),
};
