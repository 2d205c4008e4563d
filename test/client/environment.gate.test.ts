import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test("a process of its own reads its variables", async () => {
  const script = `
    import { PlantStoreClient } from "./src/index.ts";
    const fetch = async (url, init) => Response.json({ name: url + " " + init.headers.authorization });
    console.log((await new PlantStoreClient({ fetch }).createPlant({ id: 1, name: "x" })).name);`;
  const env = { ...process.env, PLANT_STORE_BASE_URL: "https://child.test", PLANT_STORE_TOKEN: "child" };
  const cwd = fileURLToPath(new URL("../..", import.meta.url));
  const run = promisify(execFile)(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
    cwd,
    env,
  });
  expect((await run).stdout).toBe("https://child.test/plants Bearer child\n");
});
