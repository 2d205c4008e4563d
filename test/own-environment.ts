import { existsSync } from "node:fs";

/*
 * Removes from the environment what a person has set for their own use, and npm for its scripts: it would change what the
 * tests see, and what the processes that they start do and print. Configurations of Vitest import this first. The settings
 * of npm, proxies and NODE_EXTRA_CA_CERTS stay, because some tests install packages. If the file of the last is missing,
 * every process of Node would print a warning.
 */
const OF_NODE = "DEBUG|ENV|NO_WARNINGS|OPTIONS|PATH|PENDING_DEPRECATION|TLS_REJECT_UNAUTHORIZED|USE_ENV_PROXY";
const FOREIGN = new RegExp(
  `^(PLANT_STORE_(?!TEST_).*|FORCE_COLOR|INIT_CWD|npm_config_(omit|user_agent)|NODE_(${OF_NODE}))$`,
);

for (const name of Object.keys(process.env)) {
  if (FOREIGN.test(name)) delete process.env[name];
}
if (!existsSync(process.env.NODE_EXTRA_CA_CERTS ?? "")) delete process.env.NODE_EXTRA_CA_CERTS;
