import { MEDIA_TYPES } from "./encode-new-plant.ts";
import type { paths } from "./openapi.ts";

/** The operation that creates a plant. Client and mock both read these facts here. */
export const CREATE_PLANT = {
  method: "POST",
  path: "/plants",
  headers: MEDIA_TYPES,
} as const satisfies { readonly method: string; readonly path: keyof paths; readonly headers: object };
