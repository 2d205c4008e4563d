import { defineConfig } from "vite";

// Where the links to the guides lead: the documentation site, which has this page as a folder.
process.env.VITE_SITE ??= "../";

export default defineConfig({
  // Relative addresses: the built page works in any folder of any site.
  base: "./",
  build: { target: "es2022", chunkSizeWarningLimit: 1_000 },
});
