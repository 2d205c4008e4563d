// Sends the requested number of requests, one after the other on one connection.
import { Agent, request } from "node:http";
import { request as sent } from "../http/request.mjs";

const [, , url, token] = process.argv;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const headers = { ...sent.headers, authorization: `Bearer ${token}`, "content-length": Buffer.byteLength(sent.body) };

function send() {
  return new Promise((resolve, reject) => {
    const post = request(`${url}/plants`, { method: sent.method, agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`));
      response.resume().on("end", resolve);
    });
    post.on("error", reject).end(sent.body);
  });
}

process.on("message", async (count) => {
  for (let i = 0; i < count; i++) await send();
  process.send("done");
});
process.on("disconnect", () => process.exit());
