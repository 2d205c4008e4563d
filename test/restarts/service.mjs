// A service over TLS that restarts every 300 ms, as a deployment does: the old instance stops listening, closes idle
// connections, finishes the requests that it has read, and ends; the new one listens on the same port meanwhile. It keeps
// account of the plants whose POST it read and processed.

import { createSecureServer } from "node:http2";
import { createServer } from "node:https";

const RESTART_MS = 300;
/** The time that one plant takes, as a database's write would. */
const PROCESSING_MS = 2;
/** The time that an instance has to finish. */
const DRAINING_MS = 300;

/**
 * @param {{ key: Buffer, cert: Buffer }} identity
 * @param {"HTTP/1.1" | "HTTP/2"} protocol
 */
export async function startRestartingService(identity, protocol) {
  /** How often the POST of each plant was read, by id, and how often it was processed. */
  const read = new Map();
  const processed = new Map();
  let restarts = 0;
  let current = await listen(0);
  const { port } = current.server.address();

  async function listen(onPort) {
    const sockets = new Set();
    const sessions = new Set();
    let isClosing = false;
    const respond = (request, response) => {
      let text = "";
      request.on("error", () => {}).setEncoding("utf8");
      request.on("data", (chunk) => {
        text += chunk;
      });
      request.on("end", () => {
        const { id, name } = JSON.parse(text);
        count(read, id);
        setTimeout(() => {
          count(processed, id);
          response.setHeader("content-type", "application/json");
          if (isClosing && protocol === "HTTP/1.1") response.setHeader("connection", "close");
          response.end(JSON.stringify({ name }));
        }, PROCESSING_MS);
      });
    };
    const server = protocol === "HTTP/2" ? createSecureServer(identity, respond) : createServer(identity, respond);
    server.on("connection", (socket) => {
      sockets.add(socket);
      socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    });
    server.on("session", (session) => {
      sessions.add(session);
      session.on("error", () => {}).on("close", () => sessions.delete(session));
    });
    server.on("tlsClientError", () => {});
    await new Promise((resolve, reject) => server.once("error", reject).listen(onPort, "127.0.0.1", resolve));
    /** Ends what is idle at once, and the rest when its reply is sent, or else after a time. */
    const close = async () => {
      isClosing = true;
      const closed = new Promise((resolve) => server.close(resolve));
      for (const session of sessions) session.close();
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, DRAINING_MS))]);
      for (const socket of sockets) socket.destroy();
      await closed;
    };
    return { server, close };
  }

  const timer = setInterval(async () => {
    const previous = current;
    // As in a rolling deployment: the next instance listens before the previous one has finished.
    const closed = previous.close();
    current = await listen(port);
    restarts++;
    await closed;
  }, RESTART_MS);

  return {
    address: `https://127.0.0.1:${port}`,
    read,
    processed,
    restarts: () => restarts,
    close() {
      clearInterval(timer);
      return current.close();
    },
  };
}

function count(counts, id) {
  counts.set(id, (counts.get(id) ?? 0) + 1);
}
