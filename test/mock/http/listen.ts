import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** A server that is not a mock. */
export async function listen(answer: RequestListener, port = 0): Promise<AsyncDisposable & { url: string }> {
  // As a mock, it keeps idle connections open: if one closes, the client has closed it.
  const server = createServer({ keepAliveTimeout: 0 }, answer);
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}
