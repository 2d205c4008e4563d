import fc from "fast-check";

/** How a fetch may fail without a response. */
export interface Script {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly chunks: readonly Uint8Array[];
  readonly ending: "whole" | "never-answers" | "rejects" | "throws" | "body-stalls" | "body-breaks" | "no-body";
  readonly error: unknown;
}

/** Any response. Some contain `secret`, like that of a server that echoes its input. */
export function scripts(secret = ""): fc.Arbitrary<Script> {
  const texts = fc.oneof(
    fc.constantFrom(
      '{"name":"x"}',
      '{"name":1}',
      '{"error":1,"message":"no"}',
      "<html>",
      "",
      "\ufeff{}",
      `{"error":1,"message":"Bearer ${secret}"}`,
      `{"error":1,"message":"x","token":"${secret}"}`,
      `you sent ${secret.replaceAll("/", "\\/")} and ${secret}`,
    ),
    fc.json(),
    fc.string({ unit: "binary" }),
  );
  const chunks = fc.oneof(
    texts.map((text) => [new TextEncoder().encode(text)]),
    fc.array(fc.uint8Array({ maxLength: 30 }), { maxLength: 5 }),
  );
  const headers = fc.array(
    fc.oneof(
      fc.constantFrom(
        ["content-type", "application/json"] as const,
        ["content-type", "text/html"] as const,
        ["retry-after", "0"] as const,
        ["retry-after", "Wed, 21 Oct 2015 07:28:00 GMT"] as const,
        ["retry-after", "-1"] as const,
        ["location", `/?token=${secret}`] as const,
        ["content-length", "5"] as const,
        ["x-echo", `Bearer ${secret}`] as const,
      ),
      fc.tuple(fc.stringMatching(/^[a-z]{1,8}$/), fc.stringMatching(/^[\x21-\x7e]{0,20}$/)),
    ),
    { maxLength: 4 },
  );
  const errors = fc.oneof(
    fc.constantFrom(
      new TypeError("fetch failed", {
        cause: Object.assign(new Error(`connect to ${secret}`), { code: "ECONNREFUSED", syscall: "connect" }),
      }),
      new AggregateError([new Error(secret)], secret),
      Object.assign(new Error(`Bearer ${secret}`), { code: `E${secret}`, syscall: secret }),
      secret,
      null,
      undefined,
      { message: secret, name: secret, cause: { cause: secret } },
    ),
    fc.anything(),
  );
  return fc.record({
    status: fc.oneof(
      fc.constantFrom(200, 201, 204, 301, 307, 400, 401, 408, 429, 500, 503),
      fc.integer({ min: 200, max: 599 }),
    ),
    headers,
    chunks,
    ending: fc.constantFrom(
      "whole",
      "whole",
      "whole",
      "never-answers",
      "rejects",
      "throws",
      "body-stalls",
      "body-breaks",
      "no-body",
    ),
    error: errors,
  });
}

/** A fetch that plays the scripts in turn, repeatedly. */
export function scriptedFetch(all: readonly Script[]): (url: string, init: RequestInit) => Promise<Response> {
  let turn = 0;
  return (_url, _init) => play(all[turn++ % all.length] as Script);
}

function play({ status, headers, chunks, ending, error }: Script): Promise<Response> {
  if (ending === "throws") throw error;
  if (ending === "rejects") return Promise.reject(error);
  if (ending === "never-answers") return new Promise(() => {});
  const isBodyless = ending === "no-body" || [204, 205, 304].includes(status);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk.slice());
      if (ending === "whole") controller.close();
      if (ending === "body-breaks") controller.error(error);
    },
  });
  const response = new Response(isBodyless ? null : body, {
    status,
    headers: headers.map((pair) => [...pair] as [string, string]),
  });
  return Promise.resolve(response);
}
