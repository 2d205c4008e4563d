import fc from "fast-check";
import { newPlantSchema, PlantStoreClient, plantSchema } from "plant-store-client";
import { expect, test } from "vitest";
import { type Draft, isNewPlant, judgeReply, operation, textOf } from "./contract.ts";
import { drafts, edgeDrafts, edgeIntegers, integers } from "./drafts.ts";

const TOKEN = "a-token-of-this-test";

interface Sent {
  readonly url: string;
  readonly init: RequestInit;
}

function recordingClient(reply: () => Response): { client: PlantStoreClient; sent: Sent[] } {
  const sent: Sent[] = [];
  const fetch = async (url: string, init: RequestInit) => {
    sent.push({ url, init });
    return reply();
  };
  return {
    client: new PlantStoreClient({ baseUrl: "https://plants.test/v1/", token: TOKEN, fetch, maxRetries: 0 }),
    sent,
  };
}

const anyTexts = fc.string({ unit: "binary", maxLength: 30 });

/** The draft without a tag that is null, which the client takes for an absent one. */
function withoutNullTag({ rest, id }: Draft): Draft {
  if (typeof rest !== "object" || rest === null || Array.isArray(rest)) return { rest, id };
  const { tag, ...others } = rest as { tag?: unknown };
  return tag === null ? { rest: others, id } : { rest, id };
}

/** Whether the body of a 200 is a plant. */
function isPlant(body: string): boolean {
  const { rest } = withoutNullTag({ rest: JSON.parse(body), id: undefined });
  return judgeReply("POST /plants", 200, "application/json", JSON.stringify(rest)).length === 0;
}

test("every request that the client sends is one that the contract describes", async () => {
  const { client, sent } = recordingClient(() => Response.json({ name: "x" }));
  const plants = fc.record(
    {
      id: fc.oneof(integers, integers.map(Number), fc.double()),
      name: fc.oneof({ weight: 9, arbitrary: anyTexts }, fc.anything()),
      tag: fc.oneof({ weight: 9, arbitrary: anyTexts }, fc.anything()),
      color: fc.anything(),
    },
    { requiredKeys: ["id"] },
  );
  const property = fc.asyncProperty(plants, async (plant) => {
    sent.length = 0;
    const result = await client.tryCreatePlant(plant as never);
    const id = (plant as { id: number | bigint }).id;
    const isExact = typeof id === "bigint" || Number.isSafeInteger(id);
    const { name, tag } = plant as { name?: unknown; tag?: unknown };
    const rest = { name, ...((tag ?? undefined) === undefined ? {} : { tag: typeof tag === "string" ? tag : 7 }) };
    const isSendable =
      isExact && isNewPlant({ id: `${id}`, rest: { ...rest, name: typeof name === "string" ? name : null } });
    expect(result.ok).toBe(isSendable);
    expect(sent.length).toBe(isSendable ? 1 : 0);
    for (const { url, init } of sent) judgeRequest(url, init, `${id}`);
  });
  const atTheEdge = edgeIntegers.flatMap((id) => [[{ id, name: "x" }], [{ id: Number(id), name: "x" }]] as const);
  await fc.assert(property, { numRuns: 750, examples: atTheEdge.map(([plant]) => [plant]) });
});

function judgeRequest(url: string, init: RequestInit, id: string): void {
  expect(url).toBe("https://plants.test/v1/plants");
  expect(init.method).toBe("POST");
  const headers = new Headers(init.headers);
  expect(headers.get("authorization")).toBe(`Bearer ${TOKEN}`);
  expect(Object.keys(operation.requestBody.content)).toContain(headers.get("content-type"));
  const text = init.body as string;
  // The id is read from the text: JSON.parse would round it.
  const [, sentId, rest] = /^\{"id":(-?\d+),(.*)$/s.exec(text) ?? [];
  expect(sentId).toBe(id);
  expect(isNewPlant({ id: sentId, rest: JSON.parse(`{${rest}`) })).toBe(true);
}

test("the client accepts exactly the responses that the contract defines as a plant", async () => {
  const property = fc.asyncProperty(fc.oneof(drafts.map(textOf), fc.json(), anyTexts), async (body) => {
    const { client } = recordingClient(() => new Response(body, { headers: { "content-type": "application/json" } }));
    const result = await client.tryCreatePlant({ id: 1, name: "x" });
    expect(result.ok).toBe(isJson(body) && isPlant(body));
  });
  await fc.assert(property, { numRuns: 750 });
});

test("the client reports exactly the responses that the contract defines as an Error as errors of the service", async () => {
  const errors = fc.record(
    {
      error: fc.oneof(integers.map(Number), fc.double(), fc.jsonValue()),
      message: fc.oneof(anyTexts, fc.jsonValue()),
      more: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const bodies = fc.oneof({ weight: 4, arbitrary: errors.map((error) => JSON.stringify(error)) }, fc.json(), anyTexts);
  const property = fc.asyncProperty(bodies, async (body) => {
    const { client } = recordingClient(() => new Response(body, { status: 400 }));
    const result = await client.tryCreatePlant({ id: 1, name: "x" });
    const isError = isJson(body) && judgeReply("POST /plants", 400, "application/json", body).length === 0;
    expect(!result.ok && result.error.kind).toBe(isError ? "api" : "response");
  });
  const atTheEdge = edgeIntegers.map((error) => [`{"error":${error},"message":"x"}`] as [string]);
  await fc.assert(property, { numRuns: 750, examples: atTheEdge });
});

test("the schemas that the package exports agree with the contract", () => {
  const property = fc.property(drafts, (draft) => {
    // Only ids that a JavaScript value is: the schema judges values, not texts.
    const id = draft.id === undefined ? undefined : JSON.parse(draft.id);
    const isDigits = /^-?\d+$/.test(draft.id ?? "");
    fc.pre(typeof id !== "number" || isDigits);
    const value = JSON.parse(textOf(draft));
    if (isDigits && !Number.isSafeInteger(id)) value.id = BigInt(draft.id as string);
    expect(newPlantSchema["~standard"].validate(value).issues === undefined).toBe(isNewPlant(withoutNullTag(draft)));
    expect(plantSchema["~standard"].validate(value).issues === undefined).toBe(isPlant(textOf(draft)));
  });
  fc.assert(property, { numRuns: 1_250, examples: edgeDrafts.filter(([{ id }]) => /^-?\d+$/.test(`${id}`)) });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
