import type { Operation } from "../operation.ts";
import { createPlant } from "./create-plant.ts";

/** Every operation of the service. The router, 404, 405, CORS and the reports of `verify` derive from it. */
export const operations: readonly Operation[] = [createPlant];
