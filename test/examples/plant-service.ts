import type { IncomingMessage, ServerResponse } from "node:http";
import { listen } from "../listen.ts";

/** A request as it arrived, with the text of its body. */
export interface Arrived {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly authorization: string | undefined;
  readonly body: string;
}

/** Responds to one request, or does not. */
export type Answer = (request: Arrived, response: ServerResponse) => void;

/** A service that creates plants, on a real port, built only on node:http, without code of the mock. */
export interface PlantService {
  readonly arrived: Arrived[];
  /** The environment variables that point a program to it. */
  readonly env: { PLANT_STORE_BASE_URL: string; PLANT_STORE_TOKEN: string };
  /** Resolves when so many requests have arrived. */
  arrivals(count: number): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function startPlantService(answer: Answer = created): Promise<PlantService> {
  const arrived: Arrived[] = [];
  const waiting = new Set<() => void>();
  const server = await listen(async (request, response) => {
    const { method, url, headers } = request;
    const entry = { method, url, authorization: headers.authorization, body: await bodyOf(request) };
    arrived.push(entry);
    for (const look of waiting) look();
    answer(entry, response);
  });
  return {
    arrived,
    env: { PLANT_STORE_BASE_URL: `${server.url}/store`, PLANT_STORE_TOKEN: "token-of-the-service" },
    arrivals: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (arrived.length >= count && waiting.delete(look)) resolve();
        };
        waiting.add(look);
        look();
      }),
    [Symbol.asyncDispose]: async () => server[Symbol.asyncDispose](),
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += chunk;
  return body;
}

/** Sends a JSON response. */
export function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** 200, with the plant without its id. */
export function created({ body }: Arrived, response: ServerResponse): void {
  const { name, tag } = JSON.parse(body);
  reply(response, 200, { name, tag });
}
