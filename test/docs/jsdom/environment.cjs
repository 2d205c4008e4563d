// Jest's environment for jsdom, which asks packages for their build for browsers, with the globals of Node that it lacks.
const { TestEnvironment } = require("jest-environment-jsdom");

const MISSING = { fetch, Headers, Request, Response, TextDecoder, AbortController, AbortSignal };

module.exports = class extends TestEnvironment {
  async setup() {
    await super.setup();
    Object.assign(this.global, MISSING);
  }
};
