import type { paths } from "./openapi.ts";

/** The methods and paths of the contract. */
type Route = {
  [Path in keyof paths]: { readonly method: Uppercase<MethodOf<Required<paths[Path]>>>; readonly path: Path };
}[keyof paths];

type MethodOf<Item> = {
  [Key in keyof Item]: Item[Key] extends { responses: object } ? Key & string : never;
}[keyof Item];

/** The operation that creates a plant. Client and mock both read its method and path here. */
export const CREATE_PLANT = { method: "POST", path: "/plants" } as const satisfies Route;
