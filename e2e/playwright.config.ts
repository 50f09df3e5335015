import { defineConfig } from '@playwright/test'
import { BROWSER_FLAGS } from '../tools/browser.ts'

/** Tests of the main paths: `npm test` runs these, `npm run test:deep` the others. tools/e2e.ts decides. */
const MAIN = /@main/
const tests = process.env.E2E_TESTS

/** Browser tests: one real server with the demo network, uploaded like any network, and Debian's Chromium. */
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
  ...(tests === 'main' ? { grep: MAIN } : tests === 'deep' ? { grepInvert: MAIN } : {}),
  outputDir: '../test-results',
  use: {
    baseURL: process.env.E2E_URL ?? `http://localhost:${process.env.E2E_PORT ?? 4173}`,
    viewport: { width: 1440, height: 900 },
    locale: 'en-AU',
    timezoneId: 'Australia/Sydney',
    // Animation costs a fifth of a second per click; keyboard.spec.ts runs with motion.
    reducedMotion: 'reduce',
    screenshot: 'only-on-failure',
    // Recording every test costs a third of the machine, so only retries are recorded, or tests run with --trace on.
    trace: 'on-first-retry',
    launchOptions: {
      ...(process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {}),
      args: BROWSER_FLAGS,
    },
  },
})
