/** Code that compiles, and code that must not. `tsc -p .` is the test: a line without an error is an unused directive. */
import type { StandardSchemaV1 as Standard } from "@standard-schema/spec";
import nodeFetch from "node-fetch";
import {
  type AnyPlantStoreError,
  type Attempt,
  type Clock,
  type CreatePlantOptions,
  type CreatePlantResult,
  type CreatePlantsResult,
  createPlants,
  type FetchLike,
  isPlantStoreError,
  type NewPlant,
  newPlantSchema,
  type Outcome,
  type Plant,
  type PlantCreator,
  PlantStoreApiError,
  PlantStoreClient,
  type PlantStoreClientOptions,
  PlantStoreError,
  PlantStoreResponseError,
  type StandardSchemaV1,
  type TokenProvider,
} from "plant-store-client";
import { fetch as undiciFetch } from "undici";

declare const client: PlantStoreClient;
declare const clock: Clock;
declare const unknownValue: unknown;

export async function plants(): Promise<void> {
  await client.createPlant({ id: 1, name: "Monstera" });
  await client.createPlant({ id: 1n, name: "Monstera", tag: "indoor" });
  await client.createPlant({ id: 1, name: "Monstera", tag: undefined });
  // @ts-expect-error: the id is required.
  await client.createPlant({ name: "x" });
  // @ts-expect-error: the name is required.
  await client.createPlant({ id: 1 });
  // @ts-expect-error: an id is not a string.
  await client.createPlant({ id: "1", name: "x" });
  await client.createPlant({ id: 1, name: "x", tag: null });
  // @ts-expect-error: the contract has no such field.
  await client.createPlant({ id: 1, name: "x", owner: "y" });

  const plant: Plant = await client.createPlant({ id: 1, name: "x" });
  const tag: string | undefined = plant.tag;
  // @ts-expect-error: the reply is declared without an id.
  void plant.id;
  void tag;
}

export function options(signal: AbortSignal, provider: TokenProvider): void {
  // `undefined` means absent, even with exactOptionalPropertyTypes.
  new PlantStoreClient({ token: process.env.TOKEN, baseUrl: process.env.BASE_URL });
  new PlantStoreClient();
  new PlantStoreClient({ baseUrl: new URL("https://plants.test"), token: provider, fetch });
  new PlantStoreClient({ token: () => "t", clock });
  new PlantStoreClient({ token: async ({ rejectedToken, signal: given }) => `${rejectedToken}${given.aborted}` });
  new PlantStoreClient({ fetch: async (url: string, init: RequestInit) => new Response(url + init.method) });
  new PlantStoreClient({ fetch: undiciFetch });
  new PlantStoreClient({ fetch: nodeFetch });
  new PlantStoreClient({ fetch: (url, init) => undiciFetch(url, { ...init, keepalive: true }) });
  // @ts-expect-error: it resolves to no response.
  new PlantStoreClient({ fetch: async () => "created" });
  new PlantStoreClient({ onAttempt: ({ status, code, delayMs }) => console.log(status, code, delayMs) });
  // @ts-expect-error: there is no such option.
  new PlantStoreClient({ timeout: 1000 });
  // @ts-expect-error: neither is there such a policy.
  new PlantStoreClient({ retry: "always" });
  // @ts-expect-error: a header has one value, a text.
  new PlantStoreClient({ headers: { "X-A": 1 } });
  // @ts-expect-error: Headers would be read as an object without properties.
  const headers: PlantStoreClientOptions = { headers: new Map([["a", "b"]]) };
  void headers;
  const call: CreatePlantOptions = { signal, timeoutMs: 1, maxRetries: 0, retry: "idempotent", headers: { a: "b" } };
  // @ts-expect-error: the token is the client's.
  const token: CreatePlantOptions = { token: "t" };
  void [call, token];
}

/** Every kind is handled, and each has the fields of its class. */
export function exhaustive(error: AnyPlantStoreError): string {
  switch (error.kind) {
    case "config":
      return error.option;
    case "input":
      return error.issues.map(({ path, message }) => `${path.join()} ${message}`).join();
    case "token":
    case "connection":
    case "aborted":
    case "interrupted":
      return String(error.cause);
    case "api":
      return `${error.status} ${error.code} ${error.body.message} ${error.headers.get("x")} ${error.retryAfterMs}`;
    case "response":
      return `${error.status} ${error.bodyText} ${error.reason} ${error.headers.get("x")} ${error.retryAfterMs}`;
    case "timeout":
      return error.timeoutMs.toFixed();
    default: {
      const none: never = error;
      return none;
    }
  }
}

export function narrowed(): void {
  if (isPlantStoreError(unknownValue)) {
    const outcome: "not-sent" | "rejected" | "unknown" = unknownValue.outcome;
    const attempts: readonly Attempt[] = unknownValue.attempts;
    const { status, headers, retryAfterMs, issues } = unknownValue;
    void [outcome, attempts, status?.toFixed(), headers?.get("x"), retryAfterMs?.toFixed(), issues?.[0]?.path];
    // @ts-expect-error: an error of another kind has no status.
    void status.toFixed();
    // @ts-expect-error: only an api error has a code; the kind has to be looked at first.
    void unknownValue.code;
  }
  // @ts-expect-error: the base class is abstract.
  new PlantStoreError({ message: "x" });
}

class ParkedError extends PlantStoreApiError {
  readonly parkedAt = 0;
}

export function narrowedByInstance(error: Error): void {
  if (unknownValue instanceof PlantStoreError) void exhaustive(unknownValue);
  if (unknownValue instanceof PlantStoreApiError) {
    const code: number = unknownValue.code;
    const kind: "api" = unknownValue.kind;
    void [code, kind];
  }
  if (unknownValue instanceof ParkedError) void [unknownValue.parkedAt, unknownValue.code];
  if (error instanceof PlantStoreError) {
    void exhaustive(error);
  } else {
    void error.stack;
    // @ts-expect-error: what is left is any other error.
    void error.outcome;
  }
}

/** The rest of the union is left. */
export function excludedByInstance(error: AnyPlantStoreError): void {
  if (error instanceof PlantStoreApiError || error instanceof PlantStoreResponseError) void error.status.toFixed();
  else if (error.kind === "timeout") void error.timeoutMs;
  // @ts-expect-error: it is not an api error.
  else void (error.kind === "api");
}

export async function results(): Promise<void> {
  const result: CreatePlantResult = await client.tryCreatePlant({ id: 1, name: "x" });
  if (result.ok) {
    const { plant, status, headers } = result;
    void [plant.name, status.toFixed(), headers.get("x")];
    const none: undefined = result.error;
    void none;
  } else {
    void exhaustive(result.error);
    const outcome: Outcome = result.outcome;
    const retryable: boolean = result.error.retryable;
    const none: undefined = result.plant;
    void [outcome, retryable, none];
  }
  const outcome: Outcome | undefined = result.outcome;
  void outcome;
  // @ts-expect-error: there may be no plant.
  void result.plant.name;
  // @ts-expect-error: there may be no error.
  void result.error.kind;
  // @ts-expect-error: attempts are for reading.
  result.attempts.push({ number: 1, startedAt: 0, durationMs: 0, reason: "ok" });
}

/** The parts of a result narrow each other. */
export async function destructured(): Promise<string> {
  const { ok, plant, error } = await client.tryCreatePlant({ id: 1, name: "x" });
  return ok ? plant.name : exhaustive(error);
}

export async function many(input: AsyncIterable<NewPlant>, creator: PlantCreator): Promise<void> {
  for await (const result of createPlants(client, [{ id: 1, name: "x" }], { concurrency: 4 })) {
    const each: CreatePlantsResult = result;
    void [each.index.toFixed(), each.input.name, each.ok ? each.plant : each.error];
  }
  createPlants(creator, input, { clock, maxRetries: 0, onPace: ({ pausedUntilMs }) => void pausedUntilMs?.toFixed() });
  // A fake needs only the member that is called.
  createPlants(
    {
      tryCreatePlant: async () => ({
        ok: true,
        plant: { name: "x" },
        status: 200,
        headers: new Headers(),
        attempts: [],
      }),
    },
    [],
  );
  // The error is shown in the plant that is wrong.
  createPlants(client, [
    { id: 1, name: "x" },
    // @ts-expect-error: an id is not a string.
    { id: "2", name: "x" },
    // @ts-expect-error: there is no such field.
    { id: 3, name: "x", tga: "y" },
  ]);
  // @ts-expect-error: there is no such option.
  createPlants(client, [], { parallel: 2 });
}

export const globalFetch: FetchLike = fetch;
export const schema: StandardSchemaV1<NewPlant> = newPlantSchema;

/** As tRPC infers the input of a procedure. */
type InferredFrom<Schema> = Schema extends Standard<infer Input, infer Output> ? [Input, Output] : never;
declare const inferred: InferredFrom<typeof newPlantSchema>;
export const [input, output]: [NewPlant, NewPlant] = inferred;
