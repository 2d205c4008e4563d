import { defineConfig } from "@playwright/test";

const port = Number(process.env.PORT ?? 4173);

export default defineConfig({
  testDir: "tests",
  fullyParallel: true,
  webServer: {
    command: `esbuild --servedir=public --log-level=warning --serve=127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}`,
  },
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    launchOptions: {
      // Debian's browser. Leave it out to use the one that `npx playwright install chromium` downloads.
      executablePath: "/usr/bin/chromium",
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"],
    },
  },
});
