/** The types of the client equal those generated from openapi.yaml. `tsc -p .` is the test. */
import type { ErrorBody, NewPlant, Plant, ValidNewPlant } from "plant-store-client";
import type { components } from "../../src/contract/openapi.ts";

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
