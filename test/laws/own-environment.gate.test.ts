import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { execute } from "../package/run.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** What a person may have set for their own use. Nothing listens on port 9, and Node 24 would use the proxy for `fetch`. */
const theirs = {
  PLANT_STORE_TOKEN: "theirs",
  PLANT_STORE_MOCK_CONFIG: "/nonexistent.json",
  FORCE_COLOR: "3",
  INIT_CWD: "/nonexistent",
  NODE_DEBUG: "net",
  NODE_ENV: "production",
  NODE_NO_WARNINGS: "1",
  NODE_OPTIONS: "--trace-warnings",
  NODE_PATH: "/nonexistent",
  NODE_PENDING_DEPRECATION: "1",
  NODE_TLS_REJECT_UNAUTHORIZED: "0",
  NODE_USE_ENV_PROXY: "1",
  npm_config_omit: "dev",
  npm_config_user_agent: "npm/11.0.0",
};

/** Some tests install packages: npm needs these. Nothing else uses the proxy. */
const needed = {
  HTTP_PROXY: "http://127.0.0.1:9",
  NODE_EXTRA_CA_CERTS: fileURLToPath(import.meta.url),
  npm_config_registry: "https://registry.test/",
  PLANT_STORE_TEST_REDIS: "none",
};

test("variables that a person has set for their own use are removed, and those that npm needs stay", async () => {
  const script = "import './test/own-environment.ts'; console.log(JSON.stringify(process.env))";
  const args = ["--import", "tsx", "--input-type=module", "--eval", script];
  const { stdout } = await execute(root, process.execPath, args, { ...theirs, ...needed });
  const left = JSON.parse(stdout);
  expect(Object.keys(theirs).filter((name) => Object.hasOwn(left, name))).toEqual([]);
  expect(left).toMatchObject(needed);
});

test("variables that a person has set for their own use change no test", async () => {
  const files = ["test/mock/http/process.test.ts", "test/mock/http/remote-lifetime.test.ts"];
  const args = ["node_modules/vitest/vitest.mjs", "run", "--reporter=json", ...files];
  const broken = { HTTP_PROXY: needed.HTTP_PROXY, NODE_EXTRA_CA_CERTS: "/nonexistent.pem" };
  const { stdout } = await execute(root, process.execPath, args, { ...theirs, ...broken });
  expect(JSON.parse(stdout)).toHaveProperty("success", true);
});
