/** How a service rejects a request. */
export interface Rejection {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a plant store does where the contract is silent. It shares no code with the mock. */
export interface Choices {
  readonly notFound: Rejection;
  readonly methodNotAllowed: Rejection;
  readonly severalTokens: Rejection;
  readonly missingToken: Rejection | "accept";
  readonly invalidToken: Rejection | "accept";
  readonly mediaType: Rejection | "accept";
  readonly tooLarge: Rejection | "accept";
  readonly encoding: Rejection;
  readonly json: Rejection;
  readonly newPlant: Rejection;
  readonly unknownFields: "reject" | "accept";
  readonly duplicateId: Rejection | "accept";
}

/** A fraction from 0 to 1, of a seed. */
export type Random = () => number;

export function pick<Value>(random: Random, values: readonly Value[]): Value {
  return values[Math.floor(random() * values.length)] as Value;
}

const JSON_TYPE = { "Content-Type": "application/json" };

function rejection(random: Random, ...headers: readonly Readonly<Record<string, string>>[]): Rejection {
  const message = { error: Math.floor(random() * 2_000), message: "chosen by chance" };
  const [type, body] = pick(random, [
    [JSON_TYPE, JSON.stringify(message)],
    [{ "Content-Type": "application/json; charset=utf-8" }, JSON.stringify({ ...message, trace: 7 })],
    [{ "Content-Type": "application/problem+json" }, '{"title":"no"}'],
    [{ "Content-Type": "text/html" }, "<h1>No</h1>"],
    [{}, ""],
  ]);
  return {
    status: pick(random, [400, 401, 403, 404, 405, 409, 413, 415, 422]),
    headers: Object.assign({}, type, pick(random, [{}, ...headers])),
    body,
  };
}

export const choiceNames = [
  ...["notFound", "methodNotAllowed", "severalTokens", "missingToken", "invalidToken", "mediaType", "tooLarge"],
  ...["encoding", "json", "newPlant", "unknownFields", "duplicateId"],
] as readonly (keyof Choices)[];

export function choose(random: Random): Choices {
  const challenge = { "WWW-Authenticate": "Bearer" };
  const orAccept = (given: Rejection) => (random() < 0.5 ? "accept" : given);
  const missingToken = orAccept(rejection(random, challenge));
  return {
    notFound: rejection(random),
    methodNotAllowed: rejection(random, { Allow: "POST" }),
    severalTokens: rejection(random, challenge),
    missingToken,
    // A mock that needs no token accepts any.
    invalidToken: missingToken === "accept" ? "accept" : orAccept(rejection(random, challenge)),
    mediaType: orAccept(rejection(random)),
    tooLarge: orAccept(rejection(random)),
    encoding: rejection(random),
    json: rejection(random),
    newPlant: rejection(random),
    unknownFields: pick(random, ["accept", "reject"]),
    duplicateId: orAccept(rejection(random)),
  };
}

/** A service with these choices, as a `fetch`; `busyEvery` refuses each such request with 429. */
export function createService(choices: Choices, token: string, busyEvery = Number.POSITIVE_INFINITY) {
  const ids = new Set<number>();
  const received: { readonly authorization: string | null; readonly body: string }[] = [];
  const reject = ({ status, headers, body }: Rejection) => new Response(body || null, { status, headers });

  function answer(request: Request, bytes: Uint8Array): Response {
    const given = request.headers.get("Authorization");
    const { pathname } = new URL(request.url);
    if (pathname !== "/v2/plants") return reject(choices.notFound);
    if (request.method !== "POST") return reject(choices.methodNotAllowed);
    if (choices.missingToken !== "accept") {
      if (given?.includes(",")) return reject(choices.severalTokens);
      if (given === null) return reject(choices.missingToken);
    }
    const isInvalid = given !== null && given !== `Bearer ${token}`;
    if (choices.invalidToken !== "accept" && isInvalid) return reject(choices.invalidToken);
    const isJson = request.headers.get("Content-Type") === "application/json";
    if (choices.mediaType !== "accept" && !isJson) return reject(choices.mediaType);
    if (choices.tooLarge !== "accept" && bytes.length > 1_048_576) return reject(choices.tooLarge);
    return create(bytes);
  }

  function create(bytes: Uint8Array): Response {
    let text: string;
    let plant: { id?: unknown; name?: unknown; tag?: unknown };
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      return reject(choices.encoding);
    }
    try {
      plant = JSON.parse(text);
    } catch {
      return reject(choices.json);
    }
    const { id, name, tag, ...others } = plant;
    const hasOthers = Object.keys(others).length > 0;
    if (!Number.isSafeInteger(id) || typeof name !== "string") return reject(choices.newPlant);
    if (hasOthers && choices.unknownFields === "reject") return reject(choices.newPlant);
    if (choices.duplicateId !== "accept" && ids.has(id as number)) return reject(choices.duplicateId);
    ids.add(id as number);
    return new Response(JSON.stringify({ name, tag }), { headers: JSON_TYPE });
  }

  return {
    received,
    fetch: async (url: string, init: RequestInit): Promise<Response> => {
      const request = new Request(url, init);
      const bytes = new Uint8Array(await request.arrayBuffer());
      received.push({ authorization: request.headers.get("Authorization"), body: new TextDecoder().decode(bytes) });
      if (received.length % busyEvery === 0)
        return new Response(null, { status: 429, headers: { "Retry-After": "0" } });
      return answer(request, bytes);
    },
  };
}
