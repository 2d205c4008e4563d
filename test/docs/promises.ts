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
      "In browsers it adds 14 kB": "the client, with openapi-fetch",
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
      "Tokens of 16 characters or more": "a create settles with a Plant or a PlantStoreError",
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
      "`api` if the body is the contract's": "a status that is no 2xx, with the contract's Error body",
    },
    "test/client/dispatch-proof.test.ts": {
      "| `createUndiciFetch()` | `not-sent`": "through createUndiciFetch's own Agent, the first request",
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
      "| a body that breaks off or is badly": "an incomplete body after %i has the verdict of that",
      "An outcome is `not-sent` only if": "%s proves nothing",
      "With node-fetch, cross-fetch and axios": "at %s, %s",
      "A wrapper of Node's `fetch` or undici's keeps the": "at %s, %s",
    },
    "test/client/retry-status.test.ts": {
      "| 429 |": "statuses %j (safe %i, idempotent %i POSTs) are %s",
      "| any other 4xx except 408": "statuses %j (safe %i, idempotent %i POSTs) are %s",
      "| 408, 500, 502, any other 503, 504 |": "statuses %j (safe %i, idempotent %i POSTs) are %s",
      "| any other 5xx |": "statuses %j (safe %i, idempotent %i POSTs) are %s",
      "| 503 with a valid `Retry-After`": "503 with Retry-After and the contract's Error",
      "`idempotent`: only with": "statuses %j (safe %i, idempotent %i POSTs) are %s",
      "Its outcome is the worst of them": "the outcome of a call is the worst of its attempts",
      "The client assumes that a 4xx stores nothing": "statuses %j (safe %i, idempotent %i POSTs) are %s",
    },
    "test/client/token-replacement.test.ts": {
      "| 401 |": "the provider is asked once more",
    },
    "test/runtimes/suite.js": {
      "| Bun |": "proves that a refused connection sent nothing",
      "| Deno |": "proves that a first TLS handshake which is reset",
      "| browsers, Cloudflare Workers |": "proves that a refused connection sent nothing",
      "In browsers, a refused connection is `unknown`": "proves that a refused connection sent nothing",
    },
  },
  "docs/many-plants.md": {
    "docs/many-plants.md": {
      "In the second run, 19 rows had no result": "console.log(await importPlants()); // 20,0,0,0,1",
      "To stop a run without losing anything, end its": "console.log(finished >= 100 && finished < 1_000)",
      "Here, the first Ctrl-C ends the input": "if (ok && ++finished === 100) stop();",
    },
    "test/client/create-plants-client.test.ts": {
      "No plant fails because the run was too fast": "a refusal fails no plant: maxRetries, timeoutMs and",
      "Waits do not count toward": "a refusal fails no plant: maxRetries, timeoutMs and",
      "`attempts` of a result lists every attempt": "attempts of all tries are numbered on",
      "Instead of a client, you can pass any object": "each try is a call with the run's signal",
    },
    "test/client/create-plants-journal.test.ts": {
      "A row that repeats the row of a created": "the second has no result if the first was created",
      "With the default `retry`, a kill leaves at most": "no more plants are unclear than the concurrency",
      "If a created plant comes again with another name": "a plant that differs from the created one is not sent",
    },
    "test/client/create-plants-judgement.test.ts": {
      "| 400, 409, 413, 415, 422 with the contract's": "the judgement of %s",
      "| 429; 503 with `Retry-After` and the Error |": "the judgement of %s",
      "| any other 4xx with the Error, except 401": "the judgement of %s",
      "| not created: a refused connection": "the judgement of %s",
      "| may exist: a reset connection": "the judgement of %s",
      "| an invalid option or token |": "a created plant is done, and shows life; only a mistake",
      "If the first requests fail, the run tries a few": "costs few requests and at most a minute",
      "Later, a hundred 4xx of the third row": "a token that is revoked in the middle costs a hundred",
    },
    "test/client/create-plants-limits.test.ts": {
      "After a 429, the run waits as long as": "waits for the latest Retry-After of several",
      "From the third refusal of a plant on": "lets two others go first after its third refusal",
      "If it alone is refused, it fails": "%s, %i at once, creates all others",
      "If the service refuses every plant": "ends the run after maxWaitMs: each plant gets",
      "It ends at once if `Retry-After` asks for a": "and asks for more than %s ends it at once",
      "Its pauses grow from a quarter of a second": "is waited for if it is the only one%s: pauses double",
      "A plant that fails while others are created": "is sent again after another one was created",
      "| `maxWaitMs` passes, or a wrong URL": "ends the run after maxWaitMs: each plant gets",
    },
    "test/client/create-plants-outage.test.ts": {
      "If several requests fail, with hardly a plant": "is reported with its reason and each pause",
      "The first plant that is created ends the": "by %s costs no plant",
      "With the defaults, an outage leaves at most sixty": "ends the run after maxWaitMs, with few plants unknown",
      "A nightly import sets `maxWaitMs`": "is waited out if %s",
    },
    "test/client/create-plants-pace.test.ts": {
      "`onPace` is called when a run pauses": "reports each pause with its end",
    },
    "test/client/create-plants-pacer.test.ts": {
      "It finds the rate that the service allows": "in simulation, the worst of six runs: %s",
    },
    "test/client/create-plants-stop.test.ts": {
      "| `signal` is aborted |": "aborts the plants in flight, gives each result",
      "| `break`, `return` or `throw` in your loop |": "aborts the plants in flight, waits for them",
    },
    "test/client/create-plants.test.ts": {
      "`input` has all fields of the plant": "each result carries its plant and its place",
      "`concurrency` (default 16) limits the plants": "only while fewer than the concurrency are in flight",
      "| the input ends |": "each result carries its plant and its place",
      "| the input throws |": "%s: the plants in flight finish, then its error",
    },
    "test/client/journal-kills.gate.test.ts": {
      "If an import was killed, run it again": "an import that is killed five times%s loses",
    },
    "test/client/journal.test.ts": {
      "A plant is known by its id.": "a created plant with other fields is changed",
      "A refused plant is sent again in the next run": "a created plant is created, a sent one unknown",
      "The file (Node, Bun, Deno) belongs to one process": "the journal of another base URL or version is refused",
      "If the file is renamed, replaced, removed": "was %s: no plant is sent, and what is known is saved",
      "No run sends them again until you look them up": "what a person found out is recorded",
    },
    "test/mock/old-peers.test.ts": {
      "It needs undici 7 or 8": "undici %i is accepted: %s; a refusal",
    },
  },
  "docs/tokens.md": {
    "test/client/environment.test.ts": {
      "Without the option `token`, the client reads": "the environment gives the defaults",
    },
    "test/client/options.test.ts": {
      "`baseUrl` must begin with `https://`": "is refused to %s, unless it is allowed",
    },
    "test/client/redaction.test.ts": {
      "A token of fewer than 16 characters could": "of 15 characters counts as short, of 16 as long",
      "Percent-encoding, HTML entities and": "each of 100 forms of a token in %s",
      "Two values are never changed": "a resolved plant is never changed",
    },
    "test/client/token-provider.test.ts": {
      "If the function throws, the call fails with a": "with a token in its error shows none",
      "The client calls the function for each `createPlant`": "a provider that gives a token %s is asked once",
      "If the function returns a promise, calls that": "share one call of the provider",
      "`signal` is aborted when no call waits": "abort the provider's call when all of them",
    },
    "test/client/token-replacement.test.ts": {
      "After a 401, the client calls the function once": "the provider is asked once more",
      "If the function returns another token, the client": "the new token does not use up a retry",
      "Otherwise the call fails with the 401": "the POST is not sent again if the token",
      "If many calls get a 401 at once": "calls that got the same token share one request",
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
  "docs/testing.md": {
    "docs/testing.md": {
      "It validates requests, keeps plants": "expect([...session.plants]).toEqual(",
      "| in memory |": "const client = new PlantStoreClient(session.clientOptions);",
      "After a 429 the client waits": 'expect(await label(client, 1, "Ficus lyrata")).toBe("bed 1 is empty");',
      "In this test, 40 seconds pass": "expect(store.clock.now()).toBeGreaterThanOrEqual(40_000);",
    },
    "docs/test-runners.md": {
      "| MSW in Node |": "const store = setupMockPlantStore({ baseUrl",
      "| MSW in a browser |": "const store = setupMockPlantStoreWorker(",
    },
    "docs/front-ends.md": {
      "| your own MSW server |": "const server = setupServer(...createHandlers(store), weather);",
    },
    "docs/other-languages.md": { "| HTTP |": "const local = await startMockPlantStore();" },
    "test/mock/old-peers.test.ts": { "The MSW adapters need": "MSW %i.%i is accepted: %s" },
    "test/mock/sessions.test.ts": {
      "A request belongs to the session": "keeps 200 concurrent sessions apart",
      "Requests with any other token belong": "gives the root every request that belongs to no open session",
      "With `auth: { tokens: [] }`": "with auth.tokens [], only the tokens of open sessions are valid",
      "Each session starts with": "starts with a copy of the initial plants, and returns to it on reset",
      "In JavaScript before Node 24": "close() is dispose, for runners without",
    },
    "test/mock/disposal.test.ts": { "`using` closes the session": "without Symbol.dispose, compiled `using` still" },
    "test/parity/fault-page.test.ts": {
      "| `apiError(code, message)`": "the table of faults has each of them",
      "| `reply({ status, headers?, body? })`": "the table of faults has each of them",
      "| `rateLimited(seconds)`": "the table of faults has each of them",
      "| `delay(ms)`": "the table of faults has each of them",
      "| `hang()`": "the table of faults has each of them",
      "| `networkError()`": "the table of faults has each of them",
      "| `connectionRefused()`": "the table of faults has each of them",
      "| `lostResponse()`": "the table of faults has each of them",
      "| `truncatedBody()`": "the table of faults has each of them",
      "| `stalledBody()`": "the table of faults has each of them",
    },
    "test/mock/faults.test.ts": {
      "A fault affects the first request": "the next one only, or as many as",
      "If several faults match": "the first that matches, in the order injected",
      "`probability` affects requests": "affects about that share of the requests",
      "| `reply({ status: 502 }": "a stored reply hides that the plant exists",
      "| `unauthorized()`": "unauthorized is a 401 with WWW-Authenticate",
    },
    "test/mock/standstill.gate.test.ts": {
      "If nothing happens for four seconds": "a call whose virtual time waits for %s",
    },
    "test/mock/virtual-time.test.ts": {
      "A mock that a real `fetch`": "a form that a real fetch reaches refuses virtual time",
      "The clock jumps to the next wait": "an input that waits for the results of its own run does not hold",
    },
    "test/mock/gates.test.ts": { "every later request of the session": "holds requests after their body was read" },
    "test/mock/recorded-requests.test.ts": {
      "Each one has": "records request and response, with a label in place of the token",
    },
    "test/mock/verify.test.ts": {
      "It throws an error that says how": "lists every problem with its fix",
      "a fault that was not used": "lists twenty unused faults, and counts the others",
      "a request that is still held": "lists every problem with its fix",
    },
  },
  "docs/simulate-failures.md": {
    "docs/simulate-failures.md": {
      "A gateway replied 504": "console.log(needed); // [",
    },
    "test/mock/simulation/simulate.test.ts": {
      "The message of the error shows": "says what is needed for it, how to repeat it",
      "It has to create every plant": "a scenario that creates nothing without faults has failed",
      "and at least one plant": "a simulation fails whose mock %s",
      "a plant that was reported created": "says that the code %s",
      "a plant is stored twice": "says that the code %s",
      "the import sends no request": "says that the code %s",
      "In a run that ends with": "an error of the client ends a run, which is only checked for doubles",
      "| `faults` |": "are those that the table of faults has for simulations",
      "| `permanent: true` |": "never end for about a fifth of the plants if they may be permanent",
      "| `crashes: true` |": "is started again with the same plants, and its journal",
      "| `redeliveries: true` |": "a plant that is delivered twice may be reported once",
    },
    "test/mock/simulation/only-the-import.test.ts": {
      "A failure that does not come again": "a failure that %s is called not reproducible",
      "Under zone.js, compile": "a scenario whose async context zone.js has lost is refused",
      "The `signal` of a Vitest test": "ends a simulation by a signal",
      "If your program ends by": "a right import passes that %s when it has returned",
      "Timers and real work that the import leaves": "a run fails that leaves %s behind",
      "After 1,000 timers or a day": "a right import passes that %s when it has returned",
      "For the import's code, and for no other": "has real time from the first to the last moment",
    },
    "test/mock/simulation/browser.test.ts": {
      "It needs Node, Bun or Deno": "in a runtime without an async context, virtual time passes and simulations",
    },
    "test/mock/simulation/virtual-globals.test.ts": {
      "Turn fake timers off.": "refuses fake timers",
      "On Node, sockets, child processes": "real work holds the time: a file is read",
    },
  },
};

/** The pages of which each promise has its proof. */
export const provenPages: readonly string[] = [
  "README.md",
  "docs/errors.md",
  "docs/many-plants.md",
  "docs/testing.md",
  "docs/tokens.md",
  "docs/simulate-failures.md",
];
