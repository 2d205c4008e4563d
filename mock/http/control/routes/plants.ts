import { decodeNewPlant } from "../../../../src/contract/json.ts";
import type { NewPlant } from "../../../../src/contract/plant.ts";
import { ControlError } from "../control-error.ts";
import { LAST, newest } from "../newest.ts";
import { readId, readJson } from "../read-call.ts";
import { DONE, ok, type Route, refusal, SESSION } from "../route.ts";
import { count, list, object, schemaRef } from "../schema.ts";

/** What is in the store of a session. */
export const plantRoutes = {
  listPlants: {
    method: "GET",
    path: "/plants",
    summary: "Lists the plants of a session, oldest first.",
    query: { ...SESSION, ...LAST },
    replies: {
      200: {
        description: "The plants.",
        schema: object({ size: count("How many there are."), plants: list(schemaRef("NewPlant")) }),
      },
    },
    handle: ({ session: { plants }, query }) => ok({ size: plants.size, plants: newest([...plants], query) }),
  },
  addPlant: {
    method: "POST",
    path: "/plants",
    summary: "Puts a plant into the store without a request. A duplicate id is accepted.",
    query: SESSION,
    body: { schema: schemaRef("NewPlant"), isRequired: true, example: '{"id":7,"name":"Monstera deliciosa"}' },
    replies: { 204: { description: "The plant is in the store." }, 400: refusal("The body is not a NewPlant.") },
    handle: ({ session, body }) => {
      session.plants.add(readJson(body, decodeNewPlant) as NewPlant);
      return DONE;
    },
  },
  getPlant: {
    method: "GET",
    path: "/plants/{id}",
    variable: "The id in decimal digits.",
    summary: "Gives the newest plant with this id.",
    query: SESSION,
    replies: {
      200: { description: "The plant.", schema: schemaRef("NewPlant") },
      404: refusal("The session has no such plant."),
    },
    handle: ({ session, name }) => {
      const plant = session.plants.get(readId(name));
      if (plant === undefined) throw new ControlError(404, `id: there is no plant ${name} in this session`);
      return ok(plant);
    },
  },
} satisfies Readonly<Record<string, Route>>;
