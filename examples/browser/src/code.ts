import type { CreatePlantResult, NewPlant } from "plant-store-client";
import type { Fault } from "plant-store-client/mock";
import { part } from "./element.ts";

/** What a call depended on. */
export interface Circumstances {
  /** The faults that its requests used up, in order. */
  readonly faults: readonly Fault[];
  /** Whether the store held a plant with this id before. */
  readonly hasPlant: boolean;
  readonly isLoggedIn: boolean;
}

/** Shows a program that repeats a call, in the same circumstances, and what it prints. */
export function showCode(plant: NewPlant, circumstances: Circumstances, result: CreatePlantResult): void {
  const code = program(plant, circumstances, result);
  part("code").textContent = code;
  part("code-hint").textContent = "A complete program: it runs in Node as printed.";
  (part("code").parentElement as HTMLElement).hidden = false;
  const copy = part("copy");
  copy.hidden = false;
  copy.textContent = "Copy";
  copy.onclick = async () => {
    await navigator.clipboard.writeText(code);
    copy.textContent = "Copied";
  };
}

function program(plant: NewPlant, { faults, hasPlant, isLoggedIn }: Circumstances, result: CreatePlantResult): string {
  const printed = result.ok ? "created" : `${result.error.kind}, ${result.error.outcome}`;
  return [
    'import { PlantStoreClient } from "plant-store-client";',
    `import { createMockPlantStore${faults.length > 0 ? ", faults" : ""} } from "plant-store-client/mock";`,
    "",
    'const mock = createMockPlantStore({ duplicateIds: "reject" });',
    ...(hasPlant ? [`mock.plants.add(${plantSource(plant)});`] : []),
    ...faults.map((fault) => `mock.inject(${faultSource(fault)});`),
    "",
    "const client = new PlantStoreClient({",
    "  ...mock.clientOptions,",
    ...(isLoggedIn ? [] : ['  token: () => { throw new Error("the session has expired"); },']),
    "  timeoutMs: 5_000,",
    "});",
    `const result = await client.tryCreatePlant(${plantSource(plant)}${isCanceled(result) ? ", {" : ");"}`,
    ...(isCanceled(result) ? ["  signal: AbortSignal.timeout(1_000), // you canceled the call", "});"] : []),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text.
    'console.log(result.ok ? "created" : `${result.error.kind}, ${result.error.outcome}`);',
    `// ${printed}`,
  ].join("\n");
}

function isCanceled(result: CreatePlantResult): boolean {
  return !result.ok && result.error.kind === "aborted";
}

/** Digits as they were typed: a bigint has its own suffix. */
function plantSource({ id, name, tag }: NewPlant): string {
  const fields = [`id: ${id}${typeof id === "bigint" ? "n" : ""}`, `name: ${JSON.stringify(name)}`];
  if (tag !== undefined) fields.push(`tag: ${JSON.stringify(tag)}`);
  return `{ ${fields.join(", ")} }`;
}

/** The fields of a fault are the arguments of its factory, in the same order; `reply` takes them as one object. */
function faultSource({ type, ...fields }: Fault): string {
  const values = Object.values(fields).map((value) => JSON.stringify(value));
  return `faults.${type}(${type === "reply" ? JSON.stringify(fields) : values.join(", ")})`;
}
