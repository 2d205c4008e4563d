import { MEDIA_TYPES } from "./encode-new-plant.ts";
import type { paths } from "./openapi.ts";

/** The method and the path of each operation in the contract, and the media types of its bodies. */
export type Endpoint = { [Path in keyof paths]: EndpointAt<Path, paths[Path]> }[keyof paths];

type EndpointAt<Path, Item> = {
  [Method in keyof Item]-?: Item[Method] extends { responses: object }
    ? { readonly method: Uppercase<Method & string>; readonly path: Path; readonly headers: HeadersOf<Item[Method]> }
    : never;
}[keyof Item];

type HeadersOf<Operation> = AcceptOf<Operation> &
  (Operation extends { requestBody: { content: infer Content } }
    ? { readonly "content-type": keyof Content }
    : unknown);

type AcceptOf<Operation> = Operation extends { responses: { 200: { content: infer Content } } }
  ? { readonly accept: keyof Content }
  : unknown;

/** The operation that creates a plant. Client and mock both read these facts here. */
export const CREATE_PLANT = {
  method: "POST",
  path: "/plants",
  headers: MEDIA_TYPES,
} as const satisfies Endpoint;
