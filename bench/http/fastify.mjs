import fastify from "fastify";
import { isAuthorized, newPlantSchema, plantSchema, port } from "./plant.mjs";

const app = fastify();
const schema = { body: newPlantSchema, response: { 200: plantSchema } };
app.post("/plants", { schema }, async (request, reply) => {
  if (!isAuthorized(request.headers.authorization)) return reply.code(401).send({ error: 1, message: "no token" });
  const { name, tag } = request.body;
  return { name, tag };
});
await app.listen({ port, host: "127.0.0.1" });
