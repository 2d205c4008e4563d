import type { NewPlant } from "../../../../src/contract/plant.ts";
import { decodeNewPlant } from "../../../service/plant-json.ts";
import { ControlError, checked } from "../control-error.ts";
import { type ControlRoute, SESSION } from "../control-route.ts";
import { count, list, object, schemaRef } from "../json-schema.ts";
import { PAGE, readPage } from "../paging.ts";
import { ID, readId, readJson } from "../read-call.ts";

export const plantRoutes = {
  listPlants: {
    method: "GET",
    path: "/plants",
    summary: "Lists the plants of a session, oldest first.",
    query: { ...SESSION, ...PAGE },
    result: object({ size: count("How many plants the session has."), plants: list(schemaRef("NewPlant")) }),
    handle: ({ opened, query }) => {
      const { plants } = opened.state;
      const { after, limit } = readPage(query, plants.size);
      return { size: plants.size, plants: plants.page(after, limit) };
    },
  },
  addPlant: {
    method: "POST",
    path: "/plants",
    summary: "Stores a plant without a request. A duplicate id is accepted.",
    query: SESSION,
    body: { schema: schemaRef("NewPlant"), isRequired: true, example: '{"id": 7, "name": "Monstera deliciosa"}' },
    refusals: { 400: "The body is not a NewPlant." },
    handle: ({ session, body }) => {
      const plant = readJson(body, decodeNewPlant) as NewPlant;
      checked(() => session.plants.add(plant));
    },
  },
  getPlant: {
    method: "GET",
    path: "/plants/{id}",
    variable: "The id in decimal digits.",
    pattern: ID.source,
    summary: "Returns the newest plant with this id.",
    query: SESSION,
    result: schemaRef("NewPlant"),
    refusals: { 404: "The session has no plant with this id." },
    handle: ({ session, name }) => {
      const plant = checked(() => session.plants.get(readId(name)));
      if (plant === undefined) throw new ControlError(404, `id: this session has no plant ${name}`);
      return plant;
    },
  },
} satisfies Readonly<Record<string, ControlRoute>>;
