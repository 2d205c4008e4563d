import { CONTROL_VERSION, ok, type Route } from "../route.ts";
import { object, string } from "../schema.ts";

/** Whether the mock serves. */
export const healthRoutes = {
  getHealth: {
    method: "GET",
    path: "/health",
    summary: "Says that the mock serves. It answers everybody, under any host.",
    replies: {
      200: {
        description: "The mock serves.",
        schema: object({
          status: { const: "ok" },
          baseUrl: string("Address of the service."),
          version: string("Version of the control API."),
          instance: string("Another after each start of the mock."),
        }),
      },
    },
    handle: ({ mock, instance }) => ok({ status: "ok", baseUrl: mock.baseUrl, version: CONTROL_VERSION, instance }),
  },
} satisfies Readonly<Record<string, Route>>;
