// Stubs for the network, so that only the client's own work is measured.
const TEXT = '{"name":"Monstera deliciosa","tag":"araceae"}';
const INIT = { status: 200, headers: { "content-type": "application/json" } };
const HEADERS = new Headers(INIT.headers);

/** The cheapest stub that returns a real Response. */
async function response() {
  return new Response(TEXT, INIT);
}

/** Builds a Request from its arguments, as the real fetch does, and then responds. */
async function request(input, init) {
  new Request(input, init);
  return new Response(TEXT, INIT);
}

/** The plain object that tests often use. It costs next to nothing, so the client's own cost remains. */
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
