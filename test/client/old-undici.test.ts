import { PlantStoreConfigError } from "plant-store-client";
import { afterEach, expect, test, vi } from "vitest";

const PEER = "../../src/checks/peer.ts";

afterEach(() => {
  vi.doUnmock(PEER);
});

test.each([
  [5, false],
  [6, true],
  [8, true],
])("undici %i is accepted: %s; a refusal names the versions that work", async (major, isAccepted) => {
  vi.resetModules();
  vi.doMock(PEER, () => ({
    peerProblem: (name: string, _from: string, wanted: string, isWanted: (major: number) => boolean) =>
      isWanted(major) ? undefined : `needs ${name} ${wanted}; ${major}.0.0 is installed`,
  }));
  const { createUndiciFetch } = await import("plant-store-client/undici");
  if (isAccepted) return await createUndiciFetch().close();
  const message = "createUndiciFetch needs undici 6, 7 or 8; 5.0.0 is installed";
  expect(createUndiciFetch).toThrow(expect.objectContaining({ name: PlantStoreConfigError.name, message }));
});
