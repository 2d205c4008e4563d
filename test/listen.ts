import { createServer, type RequestListener } from "node:http";
import type { AddressInfo, Server } from "node:net";

/** A server that is not a mock. */
export async function listen(answer: RequestListener): Promise<AsyncDisposable & { url: string }> {
  // As a mock, it keeps idle connections open: if one closes, the client has closed it.
  const server = createServer({ keepAliveTimeout: 0 }, answer);
  return {
    url: await listenOn(server),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Starts a server on a free port, and returns its address. */
export async function listenOn(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
