/** The types of the client equal those generated from openapi.yaml. `tsc -p .` is the test. */
import type { ErrorBody, NewPlant, Plant, ValidNewPlant } from "plant-store-client";
import type { components } from "../../src/contract/openapi.ts";
import type { Endpoint } from "../../src/contract/operations.ts";

type Schemas = components["schemas"];

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** An intersection as one object type, without `readonly`. */
type Flat<T> = { [Name in keyof T]: T[Name] };

export const plant: Equal<Flat<Plant>, Flat<Schemas["Plant"]>> = true;
export const errorBody: Equal<Flat<ErrorBody>, Flat<Schemas["Error"]>> = true;
export const newPlant: Equal<Flat<ValidNewPlant>, Flat<Schemas["NewPlant"]>> = true;

// The types above are all those of the contract.
export const schemas: Equal<keyof Schemas, "Plant" | "Error" | "NewPlant"> = true;

// The same fields are optional as well.
type OptionalNames<T> = { [Name in keyof T]-?: object extends Pick<T, Name> ? Name : never }[keyof T];
export const optionalOfNewPlant: Equal<OptionalNames<NewPlant>, OptionalNames<Flat<Schemas["NewPlant"]>>> = true;

const headers = { accept: "application/json", "content-type": "application/json" } as const;
const valid = { method: "POST", path: "/plants", headers } as const;
export const endpoint: Endpoint = valid;
// @ts-expect-error: the contract has no such method.
export const wrongMethod: Endpoint = { ...valid, method: "PUT" };
// @ts-expect-error: the contract has no such path.
export const wrongPath: Endpoint = { ...valid, path: "/plant" };
// @ts-expect-error: the contract has no such media type.
export const wrongMediaType: Endpoint = { ...valid, headers: { ...headers, "content-type": "application/xml" } };
// @ts-expect-error: the contract has no such response.
export const wrongAccept: Endpoint = { ...valid, headers: { ...headers, accept: "text/html" } };
