import { pick, type Random } from "./generated-service.ts";

/** A request with none, one or several of the things that a service may reject. */
export interface RandomRequest {
  readonly method: "POST" | "PUT";
  readonly path: "/plants" | "/flowers";
  readonly token: "valid" | "none" | "invalid" | "several";
  readonly type: "application/json" | "text/plain";
  readonly body: string | Uint8Array<ArrayBuffer>;
}

function usually<Value>(random: Random, usual: Value, ...others: Value[]): Value {
  return random() < 0.75 ? usual : pick(random, others);
}

export function randomRequest(random: Random): RandomRequest {
  const plant = { id: Math.floor(random() * 8), name: "Aloe" };
  const text = JSON.stringify(plant);
  return {
    method: usually<"POST" | "PUT">(random, "POST", "PUT"),
    path: usually<"/plants" | "/flowers">(random, "/plants", "/flowers"),
    token: usually<RandomRequest["token"]>(random, "valid", "none", "invalid", "several"),
    type: usually<RandomRequest["type"]>(random, "application/json", "text/plain"),
    body: usually<RandomRequest["body"]>(
      random,
      text,
      text.slice(1),
      JSON.stringify({ ...plant, bed: 3 }),
      JSON.stringify({ id: plant.id, tag: "tree" }),
      new Uint8Array([0x22, 0xff, 0x22]),
      random() < 0.2 ? text.padEnd(1_048_577) : text,
    ),
  };
}

interface Server {
  readonly baseUrl: string;
  readonly token: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/** Sends it; returns the status, the headers and the `error` value of the response. */
export async function send(request: RandomRequest, { baseUrl, token, fetch }: Server): Promise<string> {
  const { method, path, token: kind, type, body } = request;
  const headers = new Headers({ "Content-Type": type });
  if (kind !== "none") headers.set("Authorization", `Bearer ${kind === "invalid" ? "wrong" : token}`);
  if (kind === "several") headers.append("Authorization", "Bearer another");
  const response = await fetch(baseUrl + path, { method, headers, body });
  const text = await response.text();
  const names = ["Content-Type", "WWW-Authenticate", "Allow", "Retry-After"].filter((name) =>
    response.headers.has(name),
  );
  return [response.status, ...names, /"error":(\d+)/.exec(text)?.[1]].join(" ");
}
