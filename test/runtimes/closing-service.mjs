// A service over HTTP/2, in a thread of its own, that holds the requests of a batch. When a message asks for
// it, it answers them all, announces its end, and closes the connection.
import { readFileSync } from "node:fs";
import { createSecureServer } from "node:http2";
import { parentPort, workerData } from "node:worker_threads";

const { batch, ended } = workerData;
const identity = { key: readFileSync("key.pem"), cert: readFileSync("certificate.pem") };
/** Enough bytes that they do not fit in one TLS record. */
const reply = JSON.stringify({ name: "Fern", more: "x".repeat(600) });
const held = [];

const server = createSecureServer(identity);
server.on("secureConnection", (socket) => {
  socket.on("finish", () => {
    ended[0] = 1;
    Atomics.notify(ended, 0);
  });
});
server.on("stream", (stream) => {
  stream.resume().on("end", () => {
    if (held.push(stream) === batch) parentPort.postMessage("held");
  });
});
parentPort.once("message", () => {
  for (const stream of held) {
    stream.respond({ ":status": 200, "content-type": "application/json" });
    stream.end(reply);
  }
  held[0].session.close();
  server.close();
});
server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
