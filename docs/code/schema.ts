// Not run: it stands for the file that openapi-typescript writes.
export type { paths } from "../../src/contract/openapi.ts";
