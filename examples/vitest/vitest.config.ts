import { defineConfig } from "vitest/config";

// No option is needed. The file keeps Vitest from taking the configuration of a folder above.
export default defineConfig({});
