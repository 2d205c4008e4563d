// The runtimes, their capabilities, and how each is started.

/** What a runtime reveals about a failure, and what it does by itself. */
const SERVER_SIDE = {
  provesRefusal: true,
  provesNameFailure: true,
  provesTlsFailure: true,
  provesHandshakeReset: true,
  provesMissingTls: true,
  hidesRedirects: false,
  postsAgainByItself: false,
  postsAgainAfter421: false,
  namesItself: true,
  hasEnvironment: true,
  readsHeadersAsUtf8: false,
};

/** Node's silence about a request proves something only after an earlier request to the same origin. */
const NODE = { ...SERVER_SIDE, provesHandshakeReset: false, postsAgainAfter421: true };

/** Bun does not report that a reset occurred during the connection. */
const OLD_BUN = { ...SERVER_SIDE, provesHandshakeReset: false };

/** It also reports EPROTO, which other runtimes may report after the request was sent. */
const BUN = { ...OLD_BUN, provesMissingTls: false };

/** A Worker gets "Network connection lost." for a refused and for a reset connection, and parses headers differently. */
const WORKER = {
  ...SERVER_SIDE,
  provesRefusal: false,
  provesNameFailure: false,
  provesTlsFailure: false,
  provesHandshakeReset: false,
  provesMissingTls: false,
  hasEnvironment: false,
  readsHeadersAsUtf8: true,
};

/** Browsers hide why a request failed, and where it was redirected. */
const BROWSER = {
  ...WORKER,
  hidesRedirects: true,
  namesItself: false,
  readsHeadersAsUtf8: false,
  postsAgainAfter421: true,
};

/** It sends a POST again where a reused connection ends without a reply, and the preflight leaves one to reuse. */
const REPEATING_BROWSER = { ...BROWSER, postsAgainByItself: true };

export const runtimes = [
  { name: "Node 20", start: "node", major: 20, traits: NODE },
  { name: "Node 22", start: "node", major: 22, traits: NODE },
  { name: "Node 24", start: "node", major: 24, traits: NODE },
  { name: "Node 26", start: "node", major: 26, traits: NODE },
  { name: "Bun 1.2", start: "bun", program: "bun-1.2", servesMock: false, traits: OLD_BUN },
  { name: "Bun 1.4", start: "bun", program: "bun", traits: BUN },
  { name: "Deno", start: "deno", traits: SERVER_SIDE },
  { name: "workerd", start: "workerd", traits: WORKER },
  { name: "Chromium", start: "browser", browser: "chromium", traits: REPEATING_BROWSER },
  { name: "Firefox", start: "browser", browser: "firefox", traits: REPEATING_BROWSER },
  { name: "WebKitGTK", start: "browser", browser: "webkit", traits: BROWSER },
  // The same suite through createUndiciFetch(). Undici 8 needs Node 22.
  { name: "undici 7, Node 20", start: "node", major: 20, undici: 7, traits: SERVER_SIDE },
  { name: "undici 8, Node 22", start: "node", major: 22, undici: 8, traits: SERVER_SIDE },
  { name: "undici 8, Node 26", start: "node", major: 26, undici: 8, traits: SERVER_SIDE },
];
