// json-server by its module, its data in memory: with a file it would write all of it at each create.
import jsonServer from "json-server";
import { port } from "./plant.mjs";

const app = jsonServer.create();
app.use(jsonServer.defaults({ logger: false }));
app.use(jsonServer.bodyParser);
// A second plant of the same id is refused there, so each gets one of its own.
let id = 0;
app.use((request, _, next) => {
  if (request.method === "POST") request.body.id = ++id;
  next();
});
app.use(jsonServer.router({ plants: [] }));
app.listen(port, "127.0.0.1");
