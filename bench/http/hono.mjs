import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { isAuthorized, plantOf, port } from "./plant.mjs";

const app = new Hono();
app.post("/plants", async (context) => {
  if (!isAuthorized(context.req.header("authorization"))) return context.json({ error: 1, message: "no token" }, 401);
  const plant = plantOf(await context.req.json().catch(() => undefined));
  return plant ? context.json(plant) : context.json({ error: 2, message: "no plant" }, 400);
});
serve({ fetch: app.fetch, port, hostname: "127.0.0.1" });
