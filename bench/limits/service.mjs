// node service.mjs <scenario>: a service with a limit, in a process of its own. It reports what it saw on request.
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { createLimit } from "./limits.mjs";
import { SCENARIOS } from "./scenarios.mjs";

const { limit: options, workMs = 0 } = SCENARIOS[process.argv[2]];
const limit = createLimit(options);
const ids = new Set();
const seen = { requests: 0, refused: 0, twice: 0, firstAt: 0, lastAt: 0 };

const server = createServer(async (request, response) => {
  const now = performance.now();
  seen.requests++;
  if (seen.requests === 1) seen.firstAt = now;
  const refusal = limit.admit(now);
  const { id, name } = JSON.parse(await text(request));
  if (refusal) {
    seen.refused++;
    const wait = refusal.retryAfter === undefined ? undefined : { "retry-after": `${refusal.retryAfter}` };
    return answer(response, 429, { error: 429, message: "slow down" }, wait);
  }
  if (workMs > 0) await new Promise((resolve) => setTimeout(resolve, workMs));
  limit.leave();
  if (ids.has(id)) seen.twice++;
  ids.add(id);
  seen.lastAt = performance.now();
  answer(response, 200, { name });
});

function answer(response, status, body, headers) {
  const json = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(json),
    ...headers,
  });
  response.end(json);
}

server.keepAliveTimeout = 0;
server.listen(0, "127.0.0.1", () => process.send({ port: server.address().port }));
process.on("message", () => process.send({ ...seen, created: ids.size }));
process.on("disconnect", () => process.exit());
