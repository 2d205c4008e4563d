// What stands in for the network, so that only the client's own work is measured.
const TEXT = '{"name":"Monstera deliciosa","tag":"araceae"}';
const INIT = { status: 200, headers: { "content-type": "application/json" } };
const HEADERS = new Headers(INIT.headers);

/** The least that a stub can do and still hand out a real Response. */
async function response() {
  return new Response(TEXT, INIT);
}

/** Builds a Request from what it is given, as the real fetch does, and then answers. */
async function request(input, init) {
  new Request(input, init);
  return new Response(TEXT, INIT);
}

/** What tests often hand in: costs next to nothing, so that what is left is the client. */
async function plain() {
  return {
    ok: true,
    status: 200,
    headers: HEADERS,
    text: async () => TEXT,
    json: async () => JSON.parse(TEXT),
  };
}

export const stubs = { response, request, plain };
