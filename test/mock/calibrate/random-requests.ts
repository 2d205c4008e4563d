import { pick, type Random } from "./generated-service.ts";

/** A request with none, one or several of the things that a service may reject. */
export interface RandomRequest {
  readonly method: "POST" | "PUT";
  readonly path: "/plants" | "/flowers";
  readonly token: "valid" | "none" | "invalid" | "several";
  readonly type: "application/json" | "text/plain";
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** What the report calls the behavior that it depends on. */
  readonly about: readonly string[];
}

type Chosen<Value> = readonly [value: Value, ...about: string[]];

function usually<Value>(random: Random, usual: Chosen<Value>, ...others: Chosen<Value>[]): Chosen<Value> {
  return random() < 0.75 ? usual : pick(random, others);
}

/** It creates the plant that others are duplicates of. */
export const FIRST_REQUEST: RandomRequest = {
  ...{ method: "POST", path: "/plants", token: "valid", type: "application/json", about: [] },
  body: '{"id":1000,"name":"Aloe"}',
};

export function randomRequest(random: Random, id: number): RandomRequest {
  const plant = { id, name: "Aloe" };
  const [method, ...aboutMethod] = usually<"POST" | "PUT">(random, ["POST"], ["PUT", "methodNotAllowed"]);
  const [path, ...aboutPath] = usually<RandomRequest["path"]>(random, ["/plants"], ["/flowers", "notFound"]);
  const [token, ...aboutToken] = usually<RandomRequest["token"]>(
    random,
    ["valid"],
    ["none", "missingToken"],
    ["invalid", "invalidToken"],
    ["several", "severalTokens"],
  );
  const [type, ...aboutType] = usually<RandomRequest["type"]>(
    random,
    ["application/json"],
    ["text/plain", "mediaType"],
  );
  const [body, ...aboutBody] = usually<RandomRequest["body"]>(random, [JSON.stringify(plant)], ...oddBodies(plant));
  return {
    ...{ method, path, token, type, body },
    about: [...aboutMethod, ...aboutPath, ...aboutToken, ...aboutType, ...aboutBody],
  };
}

function oddBodies(plant: { id: number; name: string }): Chosen<RandomRequest["body"]>[] {
  const text = JSON.stringify(plant);
  return [
    [FIRST_REQUEST.body, "duplicateId"],
    [text.slice(1), "json"],
    ["", "emptyBody"],
    [JSON.stringify({ ...plant, tag: "tree" }), "createdWithTag"],
    [JSON.stringify({ ...plant, tag: null }), "nullTag"],
    [JSON.stringify({ ...plant, name: "" }), "emptyName"],
    [JSON.stringify({ ...plant, id: `${plant.id}` }), "idAsText"],
    [text.replace(/\d+/, "$&.0"), "idWithFraction"],
    [text.replace(/\d+/, "922337203685477590$&"), "idBeyondInt64"],
    [JSON.stringify({ ...plant, bed: 3 }), "unknownFields"],
    [JSON.stringify({ id: plant.id, tag: "tree" }), "newPlant"],
    [Uint8Array.from(text.replace("Aloe", "Alo\xeb"), (letter) => letter.charCodeAt(0)), "encoding"],
  ];
}

interface Server {
  readonly baseUrl: string;
  readonly token: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/** Sends it; returns the status, the headers and the `error` value of the response, and the fields of a plant. */
export async function send(request: RandomRequest, { baseUrl, token, fetch }: Server): Promise<string> {
  const { method, path, token: kind, type, body } = request;
  const headers = new Headers({ "Content-Type": type });
  if (kind !== "none") headers.set("Authorization", `Bearer ${kind === "invalid" ? "wrong" : token}`);
  if (kind === "several") headers.append("Authorization", "Bearer another");
  const response = await fetch(baseUrl + path, { method, headers, body });
  const text = await response.text();
  const names = ["Content-Type", "WWW-Authenticate", "Allow"].filter((name) => response.headers.has(name));
  const [error] = /"error":\d+/.exec(text) ?? [];
  return [response.status, ...names, error, response.ok ? text : ""].join(" ");
}
