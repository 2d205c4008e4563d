import { ok, type Route } from "../route.ts";
import { object, string } from "../schema.ts";

/** Whether the mock serves. */
export const healthRoutes = {
  getHealth: {
    method: "GET",
    path: "/health",
    summary: "Says that the mock serves. It never asks for the control token.",
    replies: {
      200: {
        description: "The mock serves.",
        schema: object({ status: { const: "ok" }, baseUrl: string("Address of the service.") }),
      },
    },
    handle: ({ mock }) => ok({ status: "ok", baseUrl: mock.baseUrl }),
  },
} satisfies Readonly<Record<string, Route>>;
