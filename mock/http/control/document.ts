import { CONTROL_VERSION, type ControlRoute, INSTANCE_HEADER } from "./control-route.ts";
import { type Schema, schemaRef } from "./json-schema.ts";
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

function describe(route: ControlRoute): Schema {
  const { summary, path, variable, pattern, query = {}, body } = route;
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
    responses: describeReplies(route),
  };
}

function describeReplies({ result, status = 200, isVersioned, query = {}, refusals }: ControlRoute): Schema {
  const errors: Readonly<Record<number, string>> = {
    400: "A parameter or the body is invalid or unknown.",
    401: "The control token is missing or wrong.",
    403: "The control API is off, or it does not accept the `Origin` or `Host` of the call.",
    410: "The mock has been restarted since it reported this instance.",
    413: "The body has more than 1 MiB.",
    500: "The mock has made a mistake.",
    ...("session" in query && { 404: "The session does not exist." }),
    ...refusals,
  };
  return {
    ...(result && { [status]: reply("Success.", result) }),
    ...((result === undefined || status === 202) && { 204: reply("Success.") }),
    ...(isVersioned && { 304: reply("Nothing has changed since the response with this ETag.") }),
    ...Object.fromEntries(
      Object.entries(errors).map(([code, description]) => [code, reply(description, schemaRef("Error"))]),
    ),
  };
}

function reply(description: string, schema?: Schema): Schema {
  return { description, ...(schema && { content: { "application/json": { schema } } }) };
}
