// The checks of the servers by hand, so that all do the same work.
const BEARER = /^bearer +[\w.~+/-]+=*$/i;

/** Whether an Authorization header carries a bearer token. */
export function isAuthorized(authorization) {
  return BEARER.test(authorization ?? "");
}

/** The plant in a parsed body, without its id; undefined if the body is not a plant. */
export function plantOf(body) {
  if (typeof body !== "object" || body === null) return undefined;
  const { id, name, tag } = body;
  if (!Number.isSafeInteger(id) || typeof name !== "string") return undefined;
  if (tag === undefined) return { name };
  return typeof tag === "string" ? { name, tag } : undefined;
}

/** The same for servers that take a JSON Schema. */
export const newPlantSchema = {
  type: "object",
  required: ["id", "name"],
  properties: { id: { type: "integer" }, name: { type: "string" }, tag: { type: "string" } },
};

export const plantSchema = {
  type: "object",
  required: ["name"],
  properties: { name: { type: "string" }, tag: { type: "string" } },
};

export const port = Number(process.argv[2]);
