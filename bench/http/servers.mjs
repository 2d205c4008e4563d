// The servers that are measured over HTTP, and how each is started.
import { fileURLToPath } from "node:url";
import { distPath } from "../lib/build.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const peer = (path) => here(`../node_modules/${path}`);
const CONTRACT = here("../../openapi.yaml");
const own = (name) => (port) => [here(`${name}.mjs`), port];

/** For each server the arguments of node. */
export const servers = {
  "node:http, by hand": { args: own("node-http") },
  "**plant-store-mock**": {
    args: (port) => [distPath("cli.js"), "--port", port, "--log", "silent"],
  },
  "fastify, with schema": { args: own("fastify") },
  "hono on node-server": { args: own("hono") },
  express: { args: own("express") },
  Prism: {
    args: (port) => [
      peer("@stoplight/prism-cli/dist/index.js"),
      "mock",
      "-m",
      "false",
      "-v",
      "error",
      "-p",
      port,
      CONTRACT,
    ],
  },
  "@mswjs/http-middleware": { args: own("http-middleware") },
};
