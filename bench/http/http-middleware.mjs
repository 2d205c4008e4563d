import { createServer } from "@mswjs/http-middleware";
import { HttpResponse, http } from "msw";
import { isAuthorized, plantOf, port } from "./plant.mjs";

const app = createServer(
  http.post("/plants", async ({ request }) => {
    if (!isAuthorized(request.headers.get("authorization"))) {
      return HttpResponse.json({ error: 1, message: "no token" }, { status: 401 });
    }
    const plant = plantOf(await request.json());
    return plant ? HttpResponse.json(plant) : HttpResponse.json({ error: 2, message: "no plant" }, { status: 400 });
  }),
);
app.listen(port, "127.0.0.1");
