import { type NewPlant, newPlantTextSchema } from "plant-store-client";

const form = document.querySelector<HTMLFormElement>("#plant") as HTMLFormElement;

/** The fields of the form are those of the schema: a missing one is a compiler error. */
const fields: Record<keyof NewPlant, HTMLInputElement> = { id: field("id"), name: field("name"), tag: field("tag") };

function field(name: string): HTMLInputElement {
  return form.elements.namedItem(name) as HTMLInputElement;
}

/**
 * Reads the form by the rules of the contract, and says at each field what is wrong.
 *
 * @returns The plant, or `undefined` if a field is wrong; the first such field then has the focus.
 */
export function readPlant(): NewPlant | undefined {
  const { value, issues = [] } = check(Object.fromEntries(new FormData(form)));
  for (const [name, input] of Object.entries(fields)) {
    const problem = issues.find(({ path }) => path?.[0] === name)?.message;
    input.setAttribute("aria-invalid", String(problem !== undefined));
    const line = document.querySelector(`#${name}-error`) as HTMLElement;
    line.textContent = problem === undefined ? "" : `The ${name} ${problem}.`;
  }
  form.querySelector<HTMLInputElement>("[aria-invalid=true]")?.focus();
  return value;
}

function check(input: unknown): { value?: NewPlant; issues?: readonly Issue[] } {
  const result = newPlantTextSchema["~standard"].validate(input);
  return result.issues ? { issues: result.issues } : { value: result.value };
}

type Issue = { readonly path?: readonly PropertyKey[]; readonly message: string };

/** Puts the next free id into the form; after the largest int64 comes the smallest. */
export function proposeNextId(id: number | bigint): void {
  fields.id.value = String(BigInt.asIntN(64, BigInt(id) + 1n));
}

/** Calls back when the form is sent. */
export function onSubmit(callback: () => void): void {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    callback();
  });
}
