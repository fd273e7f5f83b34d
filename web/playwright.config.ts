import { defineConfig } from "@playwright/test";

// Debian's Chromium, no download. One worker: the tests share two cores with the server under test.
export default defineConfig({
  testDir: "tests",
  outputDir: process.env.MIRRORBALL_WEB_RESULTS ?? "../build/web/results",
  workers: 1,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: "list",
  use: {
    actionTimeout: 30_000,
    viewport: { width: 1280, height: 900 },
    launchOptions: { executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] },
  },
});
