import type { MockSessionOptions } from "../../../service/mock-plant-store.ts";
import { ControlError } from "../control-error.ts";
import { DONE, ok, type Route, refusal, SESSION } from "../route.ts";
import { list, object, options, schemaRef, string } from "../schema.ts";

/** The sessions themselves. */
export const sessionRoutes = {
  listSessions: {
    method: "GET",
    path: "/sessions",
    summary: "Lists the root session and the sessions opened here. A label stands for each token.",
    replies: { 200: { description: "The sessions.", schema: object({ sessions: list(schemaRef("Session")) }) } },
    handle: ({ sessions }) => ok({ sessions: sessions.all }),
  },
  openSession: {
    method: "POST",
    path: "/sessions",
    summary: "Opens a session with plants, requests, faults and gates of its own.",
    body: {
      schema: options({ tokens: { ...list(string()), description: "Its tokens; a random one by default." } }),
      isRequired: false,
      example: '{"tokens":["a"]}',
    },
    replies: {
      201: {
        description: "The session, with the token that makes a request part of it.",
        schema: { allOf: [schemaRef("Session"), object({ token: string("The first of its tokens.") })] },
      },
      400: refusal("A token is not valid, or in use."),
    },
    handle: ({ sessions, options }) => ({ status: 201, value: sessions.open(options as MockSessionOptions) }),
  },
  getToken: {
    method: "GET",
    path: "/token",
    summary: "Gives a bearer token that the service accepts and that belongs to the root session.",
    replies: { 200: { description: "The token.", schema: object({ token: string("A bearer token.") }) } },
    handle: ({ mock }) => ok({ token: mock.token }),
  },
  disposeSession: {
    method: "DELETE",
    path: "/sessions/{session}",
    variable: "The name of the session.",
    summary: "Resets a session and frees its tokens.",
    replies: {
      204: { description: "The session is gone." },
      400: refusal("It is the root session."),
      404: refusal("There is no such session."),
    },
    handle: ({ sessions, name }) => {
      sessions.dispose(name);
      return DONE;
    },
  },
  reset: {
    method: "POST",
    path: "/reset",
    summary: "Puts the plants of a session back to the seed, and empties its journal, faults and gates.",
    query: SESSION,
    replies: { 204: { description: "The session is reset." } },
    handle: ({ session }) => {
      session.reset();
      return DONE;
    },
  },
  verify: {
    method: "GET",
    path: "/verify",
    summary: "Reports what a test should not leave behind in a session.",
    query: SESSION,
    replies: { 204: { description: "There is no problem." }, 409: refusal("Every problem, and how to fix it.") },
    handle: ({ session }) => {
      session.verify();
      return DONE;
    },
  },
  labelOf: {
    method: "POST",
    path: "/labels",
    summary: "Gives the label that stands for a token in the journal.",
    body: {
      schema: options({ token: string("The bearer token.") }, ["token"]),
      isRequired: true,
      example: '{"token":"a"}',
    },
    replies: { 200: { description: "The label.", schema: object({ label: string("For example `token#1`.") }) } },
    handle: ({ mock, options: { token } }) => {
      if (typeof token !== "string") throw new ControlError(400, "token: must be a string");
      return ok({ label: mock.labelOf(token) });
    },
  },
} satisfies Readonly<Record<string, Route>>;
