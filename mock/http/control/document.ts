import { CONTROL_VERSION, INSTANCE_HEADER, type Route, refusal } from "./route.ts";
import { routes } from "./routes.ts";
import type { Schema } from "./schema.ts";
import { schemas } from "./schemas.ts";

const INSTANCE: Schema = {
  name: INSTANCE_HEADER,
  in: "header",
  description: "Refuses the call if the mock was started again since its health gave this instance.",
  schema: { type: "string" },
};

/** What the control API is, in OpenAPI 3.1. It is served at `/_mock/openapi.json`. */
export const controlDocument = {
  openapi: "3.1.0",
  info: {
    title: "Plant Store Mock: control API",
    version: CONTROL_VERSION,
    description:
      "Inspects a running mock of the Plant Store Service, and controls how it behaves. " +
      "Integers are exact: an id is a bare JSON integer of up to 64 bits in both directions.",
  },
  servers: [{ url: "/_mock" }],
  security: [{}, { controlToken: [] }],
  paths: describePaths(),
  components: {
    securitySchemes: {
      controlToken: { type: "http", scheme: "bearer", description: "Required if the mock was started with one." },
    },
    schemas,
  },
};

function describePaths(): Schema {
  const paths: Record<string, Schema> = {};
  for (const [operationId, route] of Object.entries(routes) as [string, Route][]) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: { operationId, ...describe(route) } };
  }
  return paths;
}

function describe({ summary, path, variable, query = {}, body, replies }: Route): Schema {
  const parameters = Object.entries(query).map(([name, parameter]) => ({ name, in: "query", ...parameter }));
  const [, name] = /\{(\w+)\}/.exec(path) ?? [];
  const inPath = { name, in: "path", required: true, description: variable, schema: { type: "string" } };
  return {
    summary,
    parameters: [...(name === undefined ? [] : [inPath]), ...parameters, INSTANCE],
    ...(body && {
      requestBody: {
        required: body.isRequired,
        content: { "application/json": { schema: body.schema, example: JSON.parse(body.example) } },
      },
    }),
    responses: Object.fromEntries(
      Object.entries({ ...commonReplies(query), ...replies }).map(
        ([status, { description, schema, type = "application/json" }]) => [
          status,
          { description, ...(schema && { content: { [type]: { schema } } }) },
        ],
      ),
    ),
  };
}

function commonReplies(query: NonNullable<Route["query"]>): Route["replies"] {
  return {
    400: refusal("A parameter or the body is not valid, or its name is unknown."),
    401: refusal("The mock requires its control token."),
    403: refusal("The control API is off, or the call comes from another origin, or names another host."),
    410: refusal("The mock was started again."),
    ...("session" in query && { 404: refusal("There is no such session.") }),
  };
}
