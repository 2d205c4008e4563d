import { CONTROL_VERSION, type ControlRoute } from "../control-route.ts";
import { object, string } from "../json-schema.ts";

export const healthRoutes = {
  getHealth: {
    method: "GET",
    path: "/health",
    summary: "Reports that the mock is running. Needs no control token, and accepts every host.",
    result: object({
      status: { const: "ok" },
      baseUrl: string("The address of the service."),
      version: string("The version of the control API."),
      instance: string("Identifies this run of the mock. A restarted mock has a new value."),
    }),
    handle: ({ mock, instance }) => ({ status: "ok", baseUrl: mock.baseUrl, version: CONTROL_VERSION, instance }),
  },
} satisfies Readonly<Record<string, ControlRoute>>;
