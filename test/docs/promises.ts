/**
 * What proves the sentences of the guides: for each page and test file, the beginning of a sentence or of a row as the
 * page has it, and the beginning of the title of the test that proves it. In place of a test file stands the page
 * itself if its own program proves the sentence: the beginning of a line of that program then stands in place of a title.
 */
export const promises: Record<string, Record<string, Record<string, string>>> = {
  "README.md": {
    "README.md": {
      "| `plant-store-client/mock` |": "const store = createMockPlantStore();",
      "It validates requests, keeps plants": "console.log(lost.outcome, store.plants.has",
      "`createPlant` throws a `PlantStoreError`": "const result = await client.tryCreatePlant",
    },
    "scripts/size-limit.mjs": {
      "There it adds 14 kB": "the client, with openapi-fetch",
    },
    "test/client/deadline.test.ts": {
      "One deadline covers the token": "the deadline covers waits and attempts together",
    },
    "test/client/environment.test.ts": {
      "Without `baseUrl` or `token`, the client reads": "the environment gives the defaults",
    },
    "test/client/faults.gate.test.ts": {
      "| `not-sent` | the plant does not exist": "with the default options no plant is processed twice",
      "| `rejected` | the plant does not exist": "with the default options no plant is processed twice",
      "| `unknown` | the plant may exist": "with the default options no plant is processed twice",
      "By default, a request is sent again only if": "with the default options no plant is processed twice",
    },
    "test/client/input.test.ts": {
      "An id that may have been rounded is never": "%s is refused before anything is sent",
    },
    "test/client/wire.test.ts": {
      "You choose the `id`": "the id is a bare JSON integer, digit for digit",
    },
    "test/fuzz/client.test.ts": {
      "A call resolves only with a valid plant": "a create settles with a Plant or a PlantStoreError",
      "Tokens are redacted from errors": "a create settles with a Plant or a PlantStoreError",
    },
    "test/mock/http/start.test.ts": {
      "| `plant-store-client/mock/http` |": "listens on a free port of 127.0.0.1",
    },
    "test/mock/msw.test.ts": {
      "| `plant-store-client/mock/node` |": "intercepts the global fetch, with exact ids",
      "| `plant-store-client/mock/msw` |": "works alongside a consumer's own server",
    },
    "test/package/command.test.ts": {
      "| `npx --package plant-store-client": "plant-store-mock, as npx starts it, creates",
    },
    "test/package/contents.test.ts": {
      "It has ES modules and CommonJS": "depends only on openapi-fetch",
    },
    "test/package/types.test.ts": {
      "TypeScript 5.4 or later": "finds every entry point from a project",
    },
    "test/parity/service-worker.gate.test.ts": {
      "| `plant-store-client/mock/browser` |": "$name reaches the client as the table says",
    },
    "test/runtimes/suite.js": {
      "It runs on Node 20.19 or later": "creates a plant",
    },
  },
  "docs/errors.md": {
    "docs/errors.md": {
      "This store does neither, so two plants exist": "console.log(store.plants.size); // 2",
      "`tryCreatePlant` resolves with the plant or the error": "if (!result.ok) console.log(result.error.kind",
      "The error is a `PlantStoreAbortError`": "if (!aborted.ok) console.log(aborted.error.name",
    },
    "test/client/abort.test.ts": {
      "| deadline, abort, or a token provider that fails, before": "nothing is sent after an abort, at any moment",
    },
    "test/client/backoff.test.ts": {
      "The client waits at least as long": "in %s is a minimum, and jitter is added",
      "It adds a random time": "jitter is full, doubles from half a second",
      "If `Retry-After` exceeds 60 seconds": "of %j is longer than a minute",
    },
    "test/client/create-plants-journal.test.ts": {
      "| an earlier run of an import was killed": "a continued run gives no result for created plants",
    },
    "test/client/deadline.test.ts": {
      "| deadline, abort, or a token provider that fails, after": "it ends a wait: the outcome is that",
      "| deadline or abort during a request": "%s is ended by the deadline",
      "`timeoutMs` (default 30,000) is the deadline": "the deadline covers waits and attempts together",
    },
    "test/client/decode.test.ts": {
      "| a redirect, which is never followed |": "a redirect is never followed",
      "| 2xx without a valid plant": "a 2xx without a valid plant may have created one",
      "The kind is `api` if the body is": "a status that is no 2xx, with the contract's Error body",
    },
    "test/client/dispatch-proof.test.ts": {
      "| Node's own `fetch` |": "proves nothing before the dispatcher has called the hook",
      "| a wrapper of Node's `fetch`": "and then only the errors of the runtime prove",
    },
    "test/client/faults.gate.test.ts": {
      "| `not-sent` | the plant does not exist": "with the default options no plant is processed twice",
      "| `rejected` | the plant does not exist": "with the default options no plant is processed twice",
      "| `unknown` | the plant may exist": "with the default options no plant is processed twice",
      "So by default, the client sends a request again": "with the default options no plant is processed twice",
    },
    "test/client/input.test.ts": {
      "| an invalid option, an invalid plant |": "%s is refused before anything is sent",
    },
    "test/client/options.test.ts": {
      "`maxRetries` (default 2) is the number": "the defaults are what the documentation says",
    },
    "test/client/retry-network.test.ts": {
      "| connection refused, no route, unknown host": "%s proves that nothing was sent, and is sent again",
      "| untrusted certificate |": "%s proves that nothing was sent, and is not tried",
      "| connection reset, closed without a response": "%s proves nothing",
      "even if its body is cut": "an incomplete body after %i has the verdict",
      "An outcome is `not-sent` only if": "%s proves nothing",
      "With node-fetch, cross-fetch and axios": "at %s, %s",
      "It keeps the proof of a refused connection if": "at %s, %s",
    },
    "test/client/retry-status.test.ts": {
      "| 429 |": "statuses %j (safe %i, idempotent %i POSTs) are %s",
      "| any other 4xx except 408": "statuses %j (safe %i, idempotent %i POSTs) are %s",
      "| 408, 500, 502, any other 503, 504 |": "statuses %j (safe %i, idempotent %i POSTs) are %s",
      "| any other 5xx |": "statuses %j (safe %i, idempotent %i POSTs) are %s",
      "| 503 with a valid `Retry-After`": "503 with Retry-After and the contract's Error",
      "`idempotent`: the client sends": "statuses %j (safe %i, idempotent %i POSTs) are %s",
      "Its outcome is that of the worst one": "the outcome of a call is the worst of its attempts",
      "The client assumes that a 4xx stores nothing": "statuses %j (safe %i, idempotent %i POSTs) are %s",
    },
    "test/client/token-replacement.test.ts": {
      "| 401 |": "the provider is asked once more",
    },
    "test/runtimes/suite.js": {
      "| `createUndiciFetch()` | `not-sent`": "proves that a first TLS handshake which is reset",
      "| Bun |": "proves that a refused connection sent nothing",
      "| Deno |": "proves that a first TLS handshake which is reset",
      "| browsers, Cloudflare Workers |": "proves that a refused connection sent nothing",
      "In browsers, a refused connection is `unknown`": "proves that a refused connection sent nothing",
    },
  },
  "docs/tokens.md": {
    "docs/tokens.md": {
      "If the function throws, the call fails with a": "if (!result.ok) console.log(result.error.kind",
    },
    "test/client/environment.test.ts": {
      "Without the option `token`, the client reads": "the environment gives the defaults",
    },
    "test/client/options.test.ts": {
      "`http://localhost` and other loopback addresses": "is sent to %s, which is this machine",
      "`baseUrl` must begin with `https://`": "is refused to %s, unless it is allowed",
    },
    "test/client/redaction.test.ts": {
      "The client redacts the token in errors": "of 15 characters counts as short, of 16 as long",
      "The usual escapes of each character": "each of 100 forms of a token in %s",
      "Two values are never changed": "a resolved plant is never changed",
    },
    "test/client/token-provider.test.ts": {
      "The client calls the function for each `createPlant`": "a provider that gives a token %s is asked once",
      "If the function returns a promise, calls that wait": "share one call of the provider",
      "`signal` is aborted when no call waits": "abort the provider's call when all of them",
    },
    "test/client/token-replacement.test.ts": {
      "After a 401, the client calls the function once": "the provider is asked once more",
      "If the function returns another token, the client": "the new token does not use up a retry",
      "If the token is the same, the call fails": "the POST is not sent again if the token",
      "When many calls get a 401 at once": "calls that got the same token share one request",
    },
    "test/mock/recorded-requests.test.ts": {
      "The mock's recorded requests show labels": "shows the Authorization %j as %j, with labels",
    },
    "test/runtimes/suite.js": {
      "It never follows redirects": "follows no redirect",
      "The client sends the token only to `baseUrl`": "follows no redirect",
      "Every request carries": "creates a plant",
    },
  },
};

/** The pages of which each promise has its proof. */
export const provenPages: readonly string[] = ["README.md", "docs/errors.md", "docs/tokens.md"];
