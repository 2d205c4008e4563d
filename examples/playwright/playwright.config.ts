import { defineConfig } from "@playwright/test";

const port = Number(process.env.PORT ?? 4173);
// A browser that is there already; without it, the one that `npx playwright install chromium` downloads.
const { CHROMIUM } = process.env;

export default defineConfig({
  testDir: "tests",
  fullyParallel: true,
  webServer: {
    command: `esbuild --servedir=public --log-level=warning --serve=127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}`,
  },
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    launchOptions: CHROMIUM ? { executablePath: CHROMIUM } : {},
  },
});
