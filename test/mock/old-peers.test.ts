import { PlantStoreConfigError } from "plant-store-client";
import { createMockPlantStore } from "plant-store-client/mock";
import { afterEach, expect, it, vi } from "vitest";

const PEER = "../../src/checks/installed/peer.ts";

afterEach(() => {
  vi.doUnmock(PEER);
  vi.doUnmock("msw");
});

/** Pretends that npm has installed this version of each peer. */
function install(major: number, minor: number) {
  vi.resetModules();
  vi.doMock(PEER, () => ({
    peerProblem: (name: string, _from: string, wanted: string, isWanted: (major: number, minor: number) => boolean) =>
      isWanted(major, minor) ? undefined : `needs ${name} ${wanted}; ${major}.${minor}.0 is installed`,
  }));
}

/** Creates handlers where npm has installed this version. */
async function createWith(major: number, minor: number) {
  install(major, minor);
  const { createHandlers } = await import("plant-store-client/mock/msw");
  return () => createHandlers(createMockPlantStore());
}

it.each([
  [1, 99, false],
  [2, 10, false],
  [2, 11, true],
  [3, 0, true],
])("MSW %i.%i is accepted: %s; a refusal names the versions that work", async (major, minor, isAccepted) => {
  const create = await createWith(major, minor);
  if (isAccepted) expect(create()).toHaveLength(1);
  else expect(create).toThrow(`the mock needs msw 2.11 or later, or 3; ${major}.${minor}.0 is installed`);
});

it("an MSW of unknown version without the functions of MSW 2 is refused, as in a page", async () => {
  vi.doMock("msw", () => ({ rest: {} }));
  expect(await createWith(9, 9)).toThrow("the mock needs msw 2.11 or later, or 3");
});

it.each([
  [6, false],
  [7, true],
  [8, true],
])("undici %i is accepted: %s; a refusal names the versions that work", async (major, isAccepted) => {
  install(major, 0);
  const { createUndiciFetch } = await import("plant-store-client/undici");
  if (isAccepted) return await createUndiciFetch().close();
  const message = "createUndiciFetch needs undici 7 or 8; 6.0.0 is installed";
  expect(createUndiciFetch).toThrow(expect.objectContaining({ name: PlantStoreConfigError.name, message }));
});
