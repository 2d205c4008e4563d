import express from "express";
import { isAuthorized, plantOf, port } from "./plant.mjs";

const app = express();
app.use(express.json());
app.post("/plants", (request, response) => {
  if (!isAuthorized(request.headers.authorization)) return response.status(401).json({ error: 1, message: "no token" });
  const plant = plantOf(request.body);
  return plant ? response.json(plant) : response.status(400).json({ error: 2, message: "no plant" });
});
app.listen(port, "127.0.0.1");
