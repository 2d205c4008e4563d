import { PLANT, type Post, reply } from "./server.ts";

/** Processes the plant, then goes on as told. */
export const processed = (then: (post: Post) => void) => () => (post: Post) => {
  post.process();
  then(post);
};

/** Answers a plant that was not processed. */
export const answers =
  (status: string, body: string, ...headers: string[]) =>
  () =>
  ({ socket }: Post) =>
    reply(socket, status, body, ...headers);

/** Answers a plant that was processed. */
export const answersCreated = (status: string, body: string, ...headers: string[]) =>
  processed(({ socket }) => reply(socket, status, body, ...headers));

/** Answers so until the second POST, which it processes. */
export const answersOnce =
  (status: string, body: string, ...headers: string[]) =>
  () =>
  (post: Post) => {
    if (post.number === 1) return reply(post.socket, status, body, ...headers);
    post.process();
    reply(post.socket, "200 OK", PLANT);
  };

export const silent = () => {};
export const closes = ({ socket }: Post) => socket.end();
export const resets = ({ socket }: Post) => socket.resetAndDestroy();
export const writes =
  (text: string) =>
  ({ socket }: Post) =>
    socket.write(text);
export const ends =
  (text: string) =>
  ({ socket }: Post) =>
    socket.end(text);

export const HEAD = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";

/** Writes one piece every 20 ms for as long as somebody listens. */
export const drips =
  (begin: string, piece: string) =>
  ({ socket }: Post) => {
    socket.write(begin);
    const timer = setInterval(() => socket.write(piece), 20);
    socket.on("close", () => clearInterval(timer));
  };

/** Writes without end, as fast as it is read. */
export const floods =
  (begin: string, piece: string) =>
  ({ socket }: Post) => {
    socket.write(begin);
    const pour = () => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on("drain", pour);
    pour();
  };
