/** What the control API is, in OpenAPI 3.1. It is served at `/_mock/openapi.json`. */
export const controlDocument = {
  openapi: "3.1.0",
  info: {
    title: "Plant Store Mock: control API",
    version: "1.0.0",
    description:
      "Looks into a running mock of the Plant Store Service, and tells it how to behave. " +
      "Integers are exact: an id is a bare JSON integer of up to 64 bits in both directions.",
  },
  servers: [{ url: "/_mock" }],
  security: [{}, { controlToken: [] }],
  paths: {
    "/health": {
      get: operation("getHealth", "Whether the mock serves. It never asks for the control token.", {
        200: reply("It serves.", object({ status: { const: "ok" }, baseUrl: string("Address of the service.") })),
      }),
    },
    "/plants": {
      parameters: [ref("parameters", "session")],
      get: operation("listPlants", "The plants of a session, in the order of their creation.", {
        parameters: [ref("parameters", "last")],
        200: reply("The plants.", object({ size: count("How many there are."), plants: list(schema("NewPlant")) })),
        400: error("A parameter is not valid."),
      }),
      post: operation("addPlant", "Puts a plant into the store without a request. Duplicate ids are always taken.", {
        body: schema("NewPlant"),
        204: done("It is there."),
        400: error("It is no valid NewPlant."),
      }),
    },
    "/plants/{id}": {
      parameters: [variable("id", "The id in decimal digits."), ref("parameters", "session")],
      get: operation("getPlant", "The newest plant with this id.", {
        200: reply("The plant.", schema("NewPlant")),
        400: error("The id is no int64."),
        404: error("There is none."),
      }),
    },
    "/requests": {
      parameters: [ref("parameters", "session")],
      get: operation("listRequests", "What was sent in a session, oldest first. Tokens are shown as labels.", {
        parameters: [ref("parameters", "last")],
        200: reply(
          "The requests.",
          object({
            count: count("How many arrived, those that are no longer kept included."),
            requests: list(schema("RecordedRequest")),
          }),
        ),
        400: error("A parameter is not valid."),
      }),
      delete: operation("clearRequests", "Forgets the requests so far.", { 204: done("They are forgotten.") }),
    },
    "/faults": {
      parameters: [ref("parameters", "session")],
      post: operation("injectFault", "Lets one exchange, or several, go wrong.", {
        body: schema("Injection"),
        204: done("It waits for its request."),
        400: error("The fault is not valid, or this form of the mock cannot do it."),
      }),
    },
    "/gates": {
      parameters: [ref("parameters", "session")],
      post: operation("hold", "Stops every later request of a session before it is validated.", {
        201: reply("The gate.", object({ gate: string("Its name.") })),
      }),
    },
    "/gates/{gate}/arrived": {
      parameters: [variable("gate", "The name of the gate.")],
      get: operation("awaitArrival", "Waits up to 10 seconds until so many requests stand at the gate.", {
        parameters: [parameter("count", "How many, counted from the moment the gate was made.", { default: 1 })],
        202: reply("Not yet: ask again.", object({ arrived: { const: false } })),
        204: done("They are there."),
        400: error("The count is not valid."),
        404: error("There is no such gate."),
        409: error("The gate was released, or a reset ended it, before so many came."),
      }),
    },
    "/gates/{gate}/release": {
      parameters: [variable("gate", "The name of the gate.")],
      post: operation("releaseGate", "Lets every held request go on, and stops no further one.", {
        204: done("It is open."),
        404: error("There is no such gate."),
      }),
    },
    "/sessions": {
      get: operation("listSessions", "The sessions that were opened here, the root first.", {
        200: reply("The sessions.", object({ sessions: list(schema("Session")) })),
      }),
      post: operation("openSession", "Opens a session with plants, requests, faults and gates of its own.", {
        body: schema("SessionOptions"),
        201: reply("The session.", schema("Session")),
        400: error("A token is not valid, or in use."),
      }),
    },
    "/sessions/{session}": {
      parameters: [variable("session", "The name of the session.")],
      delete: operation("disposeSession", "Resets a session and frees its tokens.", {
        204: done("It is gone."),
        400: error("It is the root."),
        404: error("There is no such session."),
      }),
    },
    "/reset": {
      parameters: [ref("parameters", "session")],
      post: operation("reset", "Puts plants back to the seed, and empties journal, faults and gates of a session.", {
        204: done("It is as at the start."),
      }),
    },
    "/verify": {
      parameters: [ref("parameters", "session")],
      get: operation("verify", "Complains of what a test should not leave behind.", {
        204: done("There is nothing to complain of."),
        409: error("Every problem, and how to mend it."),
      }),
    },
    "/labels": {
      post: operation("labelOf", "The label that stands for a token in the journal.", {
        body: object({ token: string("The bearer token.") }),
        200: reply("The label.", object({ label: string("For example `token#1`.") })),
        400: error("The token is no string."),
      }),
    },
  },
  components: {
    securitySchemes: {
      controlToken: { type: "http", scheme: "bearer", description: "Asked for where the mock was started with one." },
    },
    parameters: {
      session: parameter("session", "The session that the call is about.", { type: "string", default: "root" }),
      last: parameter("last", "Only so many of the newest.", { type: "integer", minimum: 0 }),
    },
    schemas: {
      NewPlant: {
        type: "object",
        required: ["id", "name"],
        properties: { id: int64(), name: { type: "string" }, tag: { type: "string" } },
      },
      Error: {
        type: "object",
        required: ["error", "message"],
        properties: { error: { type: "integer", format: "int32" }, message: { type: "string" } },
      },
      Session: object({
        session: string("Its name in this API."),
        baseUrl: string("Address of the service."),
        token: string("A bearer token that makes a request part of the session."),
      }),
      SessionOptions: {
        type: "object",
        properties: { tokens: { ...list({ type: "string" }), description: "Its tokens; a random one by default." } },
      },
      Injection: {
        type: "object",
        required: ["fault"],
        properties: {
          fault: schema("Fault"),
          times: {
            description: "How many requests it is for.",
            default: 1,
            oneOf: [{ type: "integer", minimum: 1 }, { const: "unlimited" }],
          },
          when: {
            type: "object",
            description: "Only requests whose plant has all of these fields.",
            properties: { id: int64(), name: { type: "string" }, tag: { type: "string" } },
            additionalProperties: false,
          },
        },
      },
      Fault: {
        oneOf: [
          fault("apiError", { code: { type: "integer", format: "int32" }, message: { type: "string" } }),
          {
            ...fault("reply", { status: { type: "integer", minimum: 200, maximum: 599 } }),
            description:
              "May have headers (an object of strings) and a body (a string as it is, anything else as JSON).",
          },
          fault("rateLimited", { retryAfterSeconds: { type: "integer", minimum: 0 } }),
          fault("delay", { ms: { type: "integer", minimum: 0 } }),
          ...["hang", "networkError", "lostResponse", "truncatedBody", "stalledBody"].map((type) => fault(type, {})),
        ],
      },
      RecordedRequest: {
        type: "object",
        required: ["at", "method", "path", "headers", "bodyText"],
        properties: {
          at: { type: "number", description: "When it arrived, in milliseconds since 1970." },
          method: { type: "string" },
          path: { type: "string" },
          headers: { type: "object", additionalProperties: { type: "string" } },
          bodyText: { type: "string", description: "The body, its first 16,384 characters." },
          token: { type: "string", description: "The label of the bearer token." },
          plant: schema("NewPlant"),
          fault: schema("Fault"),
          status: { type: "integer" },
          reply: { type: "object" },
          provenance: { enum: ["declared", "assumed", "injected"] },
          assumption: { type: "string" },
          durationMs: { type: "number" },
        },
      },
    },
  },
};

type Json = Readonly<Record<string, unknown>>;

function operation(operationId: string, summary: string, { parameters, body, ...responses }: Json): Json {
  return {
    operationId,
    summary,
    ...(parameters === undefined ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { content: { "application/json": { schema: body } } } }),
    responses: {
      ...responses,
      401: error("The mock asks for its control token."),
      403: error("The call comes from another origin, or names another host."),
    },
  };
}

function ref(kind: string, name: string): Json {
  return { $ref: `#/components/${kind}/${name}` };
}

function schema(name: string): Json {
  return ref("schemas", name);
}

function reply(description: string, body: Json): Json {
  return { description, content: { "application/json": { schema: body } } };
}

function error(description: string): Json {
  return reply(description, schema("Error"));
}

function done(description: string): Json {
  return { description };
}

function parameter(name: string, description: string, rule: Json): Json {
  return { name, in: "query", description, schema: { type: "integer", ...rule } };
}

function variable(name: string, description: string): Json {
  return { name, in: "path", required: true, description, schema: { type: "string" } };
}

function object(properties: Record<string, Json>): Json {
  return { type: "object", required: Object.keys(properties), properties };
}

function list(items: Json): Json {
  return { type: "array", items };
}

function string(description: string): Json {
  return { type: "string", description };
}

function count(description: string): Json {
  return { type: "integer", minimum: 0, description };
}

function int64(): Json {
  return { type: "integer", format: "int64" };
}

function fault(type: string, properties: Record<string, Json>): Json {
  return object({ type: { const: type }, ...properties });
}
