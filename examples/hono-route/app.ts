import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { type AnyPlantStoreError, newPlantSchema, type PlantCreator } from "plant-store-client";

/** An application with one route that creates plants. A test gives it any object that has `tryCreatePlant`. */
export function createApp(client: Pick<PlantCreator, "tryCreatePlant">): Hono {
  const app = new Hono();

  app.post("/garden", bodyLimit({ maxSize: 100_000 }), async (c) => {
    const body: unknown = await c.req.json().catch(() => undefined);
    // Also refuses an id beyond 2^53, which JSON.parse has rounded to the id of another plant.
    const checked = newPlantSchema["~standard"].validate(body);
    if (checked.issues) return c.json({ message: "please correct the plant", issues: checked.issues }, 422);

    const result = await client.tryCreatePlant(checked.value);
    if (result.ok) return c.json(result.plant, 201);
    const { status, message } = replyTo(result.error);
    return c.json({ message }, status);
  });

  return app;
}

/** The response to a visitor, who may try again only if nothing was created. */
function replyTo(error: AnyPlantStoreError): { status: 422 | 502 | 503; message: string } {
  if (error.outcome === "unknown") return { status: 502, message: "the plant may be there or not: please look" };
  if (error.kind === "api" && error.status === 400) return { status: 422, message: error.body.message };
  return { status: 503, message: "nothing was created: please try again later" };
}
