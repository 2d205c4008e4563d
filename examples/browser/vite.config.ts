import { defineConfig } from "vite";

export default defineConfig({
  // Relative addresses: the built page works in any folder of any site.
  base: "./",
  build: { target: "es2022", chunkSizeWarningLimit: 1_000 },
});
