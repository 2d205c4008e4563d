import { createServer } from "node:http";
import { isAuthorized, plantOf, port } from "./plant.mjs";

const server = createServer((request, response) => {
  if (request.method !== "POST" || request.url !== "/plants") return answer(response, 404, { error: 4, message: "no" });
  if (!isAuthorized(request.headers.authorization)) return answer(response, 401, { error: 1, message: "no token" });
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    let plant;
    try {
      plant = plantOf(JSON.parse(Buffer.concat(chunks).toString()));
    } catch {}
    if (plant) answer(response, 200, plant);
    else answer(response, 400, { error: 2, message: "no plant" });
  });
});

function answer(response, status, body) {
  const text = JSON.stringify(body);
  response.writeHead(status, ["Content-Type", "application/json", "Content-Length", Buffer.byteLength(text)]);
  response.end(text);
}

server.listen(port, "127.0.0.1");
