// A form that checks its fields by the rules of the contract, before anything is sent.

import {
  type NewPlant,
  newPlantTextSchema,
  PlantStoreClient,
  type StandardSchemaV1,
} from "plant-store-client";
import { createMockPlantStore } from "plant-store-client/mock";

// #region validate
type Checked<Value> = { value: Value } | { errors: Record<string, string> };

/** Works with each schema of this package. */
function check<Value>(
  schema: StandardSchemaV1<unknown, Value>,
  input: unknown,
): Checked<Value> {
  const result = schema["~standard"].validate(input);
  if (!result.issues) return { value: result.value };
  const errors = result.issues.map(({ path, message }) => [path.join("."), message]);
  return { errors: Object.fromEntries(errors) };
}
// #endregion validate

const store = createMockPlantStore();
const client = new PlantStoreClient(store.clientOptions);

async function submit(form: FormData): Promise<void> {
  const checked: Checked<NewPlant> = check(newPlantTextSchema, Object.fromEntries(form));
  if ("errors" in checked) return console.log("please correct", checked.errors);
  const plant = await client.createPlant(checked.value);
  console.log("created", plant);
}

const form = new FormData();
form.set("id", "12.5");
await submit(form);
form.set("id", "9007199254740993");
form.set("name", "Wollemia nobilis");
await submit(form);
