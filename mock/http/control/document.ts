import { CONTROL_VERSION, type ControlRoute, INSTANCE_HEADER, refusal } from "./control-route.ts";
import type { Schema } from "./json-schema.ts";
import { routes } from "./routes.ts";
import { schemas } from "./schemas.ts";

const INSTANCE: Schema = {
  name: INSTANCE_HEADER,
  in: "header",
  description: "The instance from `/health`. If the mock has been restarted since, it rejects the call.",
  schema: { type: "string" },
};

/** The control API as an OpenAPI 3.1 document, served at `/_mock/openapi.json`. */
export const controlDocument = {
  openapi: "3.1.0",
  info: {
    title: "Plant Store Mock: control API",
    version: CONTROL_VERSION,
    description:
      "Inspects and controls a running mock of the Plant Store service. " +
      "Ids are JSON integers of up to 64 bits; read and write them without rounding.",
  },
  servers: [{ url: "/_mock" }],
  security: [{}, { controlToken: [] }],
  paths: describePaths(),
  components: {
    securitySchemes: {
      controlToken: {
        type: "http",
        scheme: "bearer",
        description: "Required if the mock was started with a control token.",
      },
    },
    schemas,
  },
};

function describePaths(): Schema {
  const paths: Record<string, Schema> = {};
  for (const [operationId, route] of Object.entries(routes) as [string, ControlRoute][]) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: { operationId, ...describe(route) } };
  }
  return paths;
}

function describe({ summary, path, variable, pattern, query = {}, body, replies }: ControlRoute): Schema {
  const parameters = Object.entries(query).map(([name, parameter]) => ({ name, in: "query", ...parameter }));
  const [, name] = /\{(\w+)\}/.exec(path) ?? [];
  const inPath = { name, in: "path", required: true, description: variable, schema: { type: "string", pattern } };
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
      Object.entries({ ...commonReplies(query), ...replies }).map(([status, { description, schema }]) => [
        status,
        { description, ...(schema && { content: { "application/json": { schema } } }) },
      ]),
    ),
  };
}

/** The error responses that every call can have. */
function commonReplies(query: NonNullable<ControlRoute["query"]>): ControlRoute["replies"] {
  return {
    400: refusal("A parameter or the body is invalid or unknown."),
    401: refusal("The control token is missing or wrong."),
    403: refusal("The control API is off, or it does not accept the `Origin` or `Host` of the call."),
    410: refusal("The mock has been restarted since it reported this instance."),
    413: refusal("The body has more than 1 MiB."),
    500: refusal("The mock has made a mistake."),
    ...("session" in query && { 404: refusal("The session does not exist.") }),
  };
}
