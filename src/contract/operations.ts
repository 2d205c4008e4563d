import type { paths } from "./openapi.ts";

/** The methods and paths that the contract has. */
type Route = {
  [Path in keyof paths]: { readonly method: Uppercase<MethodOf<Required<paths[Path]>>>; readonly path: Path };
}[keyof paths];

type MethodOf<Item> = {
  [Key in keyof Item]: Item[Key] extends { responses: object } ? Key & string : never;
}[keyof Item];

/** Creates a plant. Client and mock both take the method and the path from here. */
export const CREATE_PLANT = { method: "POST", path: "/plants" } as const satisfies Route;
