// A service over TLS that restarts every 300 ms, as a deployment does: the old instance stops listening, closes each
// connection with its next reply, and ends when no request is under way; the new one listens on the same port meanwhile.
// It counts the plants whose POST it read and processed.
import { createSecureServer } from "node:http2";
import { createServer } from "node:https";
import { setTimeout as pause, setImmediate as turn } from "node:timers/promises";

const RESTART_MS = 300;
/** The time that one plant takes, as a database's write would. */
const processingMs = () => 10 + 20 * Math.random();
/** An instance ends this long after it was asked to, once no request is open. */
const QUIET_MS = 100;

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
    const requests = new Set();
    let isClosing = false;
    const respond = (request, response) => {
      requests.add(request);
      response.on("close", () => requests.delete(request));
      let text = "";
      request.on("error", () => {}).setEncoding("utf8");
      request.on("data", (chunk) => {
        text += chunk;
      });
      request.on("end", () => {
        const { id, name } = JSON.parse(text);
        count(read, id);
        pause(processingMs()).then(() => {
          count(processed, id);
          response.setHeader("content-type", "application/json");
          if (isClosing && protocol === "HTTP/1.1") response.setHeader("connection", "close");
          response.end(JSON.stringify({ name }));
        });
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
      // Its handshake ended after the instance began to close.
      if (isClosing) session.close();
    });
    server.on("tlsClientError", () => {});
    await new Promise((resolve, reject) => server.once("error", reject).listen(onPort, "127.0.0.1", resolve));
    const close = async () => {
      isClosing = true;
      // Node would close idle connections at once, and lose the requests that are on their way to them.
      server.closeIdleConnections = () => {};
      const closed = new Promise((resolve) => server.close(resolve));
      for (const session of sessions) session.close();
      do {
        await pause(QUIET_MS);
        await turn();
      } while (requests.size > 0);
      // The process exits.
      for (const socket of sockets) socket.destroy();
      await closed;
    };
    return { server, close };
  }

  const timer = setInterval(async () => {
    const previous = current;
    // As in a rolling deployment: the next instance listens before the previous one has finished.
    // Reads first what has arrived.
    await turn();
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
