/** @jest-environment jsdom */
const { createMockPlantStore } = require("plant-store-client/mock");

// Jest's own environment for jsdom lacks Node's fetch, Request and so on. The mock names what it needs.
test("the mock names the globals that it needs", () => {
  expect(() => createMockPlantStore()).toThrow(
    /^the mock needs these globals, which are missing here: Request, Response, .*TextDecoder.*; .*jest-fixed-jsdom/,
  );
});
