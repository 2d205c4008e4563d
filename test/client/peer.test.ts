import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { peerProblem } from "../../src/checks/installed/peer.ts";

/** A file next to whose `node_modules` a version of undici is installed. */
async function fileBeside(version: string | undefined): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "plant-store-peer-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const installed = join(folder, "node_modules", "undici");
  await mkdir(installed, { recursive: true });
  if (version) await writeFile(join(installed, "package.json"), JSON.stringify({ name: "undici", version }));
  return join(folder, "app.js");
}

const problemBeside = async (version?: string, from = (path: string) => path) =>
  peerProblem("undici", from(await fileBeside(version)), "7 or 8", (major) => major >= 7);

test("a version that is too old is named, with those that are supported", async () => {
  const problem = "needs undici 7 or 8; 6.29.0 is installed";
  expect(await problemBeside("6.29.0")).toBe(problem);
  expect(await problemBeside("6.29.0", (path) => pathToFileURL(path).href)).toBe(problem);
});

test.each(["7.0.0", "8.1.2", undefined])("%s is not a problem", async (version) => {
  expect(await problemBeside(version)).toBeUndefined();
});
