import type { MockSessionOptions } from "../../../service/mock-plant-store.ts";
import { checked } from "../control-error.ts";
import { type ControlRoute, SESSION } from "../control-route.ts";
import { list, object, options, string } from "../json-schema.ts";

export const sessionRoutes = {
  openSession: {
    method: "POST",
    path: "/sessions",
    summary: "Opens a session with its own plants, requests, faults and gates.",
    body: {
      schema: options(
        {},
        {
          tokens: {
            ...list({ type: "string", pattern: "^[!-+\\--~]+$" }),
            minItems: 1,
            description: "The bearer tokens of the session, without commas; by default a random one.",
          },
        },
      ),
      isRequired: false,
      example: '{"tokens": ["a"]}',
    },
    status: 201,
    result: object({
      session: string("The name of the session."),
      baseUrl: string("The address of the service."),
      token: string("The first bearer token of the session."),
    }),
    refusals: { 400: "A token is invalid or in use." },
    handle: ({ sessions, options }) => checked(() => sessions.open(options as MockSessionOptions)),
  },
  getToken: {
    method: "GET",
    path: "/token",
    summary: "Returns a valid bearer token of a session.",
    query: SESSION,
    result: object({ token: string("A bearer token.") }),
    handle: ({ session }) => ({ token: session.token }),
  },
  disposeSession: {
    method: "DELETE",
    path: "/sessions/{session}",
    variable: "The name of the session.",
    summary: "Resets a session and frees its tokens.",
    refusals: { 400: "The root session cannot be disposed.", 404: "The session does not exist." },
    handle: ({ sessions, name }) => sessions.dispose(name),
  },
  reset: {
    method: "POST",
    path: "/reset",
    summary: "Resets a session: plants return to the seed; requests, faults and gates are removed.",
    query: SESSION,
    handle: ({ session }) => session.reset(),
  },
  verify: {
    method: "GET",
    path: "/verify",
    summary: "Checks that a test left nothing behind in a session.",
    query: SESSION,
    refusals: { 409: "Every problem, and how to fix it." },
    handle: ({ session }) => session.verify(),
  },
  labelOf: {
    method: "POST",
    path: "/labels",
    summary: "Returns the label that replaces a token in recorded requests.",
    body: {
      schema: options({ token: string("The bearer token.") }),
      isRequired: true,
      example: '{"token": "a"}',
    },
    result: object({ label: string("For example `token#9f2c01ab`.") }),
    handle: ({ mock, options }) => ({ label: checked(() => mock.labelOf(options.token as string)) }),
  },
} satisfies Readonly<Record<string, ControlRoute>>;
