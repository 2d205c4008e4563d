// json-server as a module with its data in memory: with a file it would write all of it at each create.
import jsonServer from "json-server";
import { port } from "./plant.mjs";

const app = jsonServer.create();
app.use(jsonServer.defaults({ logger: false }));
app.use(jsonServer.bodyParser);
// json-server refuses a second plant of the same id, so each plant gets an id of its own.
let id = 0;
app.use((request, _, next) => {
  if (request.method === "POST") request.body.id = ++id;
  next();
});
app.use(jsonServer.router({ plants: [] }));
app.listen(port, "127.0.0.1");
