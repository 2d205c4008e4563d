import manifest from "plant-store-client/package.json" with { type: "json" };
import { defineConfig } from "vite";

// Where the links to the guides lead. The documentation site, which this page is a part of, sets it to its own folder.
process.env.VITE_SITE ??= manifest.homepage;

export default defineConfig({
  // Relative addresses: the built page works in any folder of any site.
  base: "./",
  build: { target: "es2022", chunkSizeWarningLimit: 1_000 },
});
