import { defineConfig } from '@playwright/test'

/** Browser tests: one real server with the demo network, uploaded as any network is, and Debian's Chromium. */
export default defineConfig({
  testDir: '.',
  globalSetup: './server.ts',
  timeout: 60_000,
  expect: { timeout: 10_000 },
  fullyParallel: false,
  // A busy machine may miss a deadline once; a fault fails twice.
  retries: process.env.CI ? 1 : 0,
  workers: 2,
  reporter: 'list',
  outputDir: '../test-results',
  use: {
    baseURL: process.env.E2E_URL ?? `http://localhost:${process.env.E2E_PORT ?? 4173}`,
    viewport: { width: 1440, height: 900 },
    locale: 'en-AU',
    timezoneId: 'Australia/Sydney',
    screenshot: 'only-on-failure',
    // Recording every test costs a third of the machine: only what is tried again is recorded, or what is run with --trace on.
    trace: 'on-first-retry',
    launchOptions: {
      ...(process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {}),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
