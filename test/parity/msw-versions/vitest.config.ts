import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, mergeConfig } from "vitest/config";
import project from "../../../vitest.config.ts";
import { packages } from "../../install-packages.ts";

/** The alias of a version in `test/packages`. */
const version = process.env.MSW_VERSION ?? "msw-3";
const root = dirname(createRequire(`${packages}/`).resolve(`${version}/package.json`));
const extension = version === "msw-3" ? "js" : "mjs";
const library = (name: string) => join(root, "lib", name, `index.${extension}`);

/** Set for the tests that run in a page. */
const environment = process.env.MSW_ENVIRONMENT;
const inPage = { resolve: project.resolve, test: { environment, include: ["test/parity/msw-versions/page.spec.ts"] } };

export default mergeConfig(
  environment === undefined ? project : inPage,
  defineConfig({
    root: fileURLToPath(new URL("../../..", import.meta.url)),
    resolve: {
      alias: [
        { find: /^msw$/, replacement: library("core") },
        { find: /^msw\/node$/, replacement: library("node") },
      ],
    },
  }),
);
