import { createServer } from "node:http";
import { isAuthorized, plantOf, port } from "./plant.mjs";

/** With the argument `keep` it stores every plant and request, as a mock does. */
const kept = process.argv[3] === "keep" ? [] : undefined;

/** With the argument `busy` it waits a microsecond for each request, as a server with more to compute would. */
const isBusy = process.argv[3] === "busy";
function waitMicrosecond() {
  const end = performance.now() + 0.001;
  while (performance.now() < end);
}

const server = createServer((request, response) => {
  if (request.method !== "POST" || request.url !== "/plants") return answer(response, 404, { error: 4, message: "no" });
  if (!isAuthorized(request.headers.authorization)) return answer(response, 401, { error: 1, message: "no token" });
  if (isBusy) waitMicrosecond();
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    let plant;
    try {
      const body = JSON.parse(Buffer.concat(chunks).toString());
      plant = plantOf(body);
      if (plant) kept?.push(body);
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
