import { connect, createServer } from "node:net";
import { listenOn } from "../../listen.ts";

/** A port that stays, for servers that follow one another: a port that one of them gave up could be taken by any program. */
export async function openRelay(target: { url: string }) {
  let port = new URL(target.url).port;
  const server = createServer((near) => {
    const far = connect(Number(port), "127.0.0.1");
    near.pipe(far).pipe(near);
    // A server that has ended refuses connections; here the connection is reset instead.
    far.on("error", () => near.resetAndDestroy());
    near.on("error", () => far.resetAndDestroy());
  });
  return {
    url: await listenOn(server),
    /** Connects clients to another server from now on. */
    leadTo(next: { url: string }): void {
      port = new URL(next.url).port;
    },
    async [Symbol.asyncDispose]() {
      server.close();
    },
  };
}
