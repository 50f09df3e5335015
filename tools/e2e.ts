import { spawnSync } from 'node:child_process'
import { findBrowser } from './browser.ts'

/** Runs the browser tests on a real server and a real browser. Arguments go on to Playwright. */
try {
  const env = { ...process.env, CHROMIUM_PATH: findBrowser() }
  const { status } = spawnSync(
    process.execPath,
    ['node_modules/@playwright/test/cli.js', 'test', '-c', 'e2e/playwright.config.ts', ...process.argv.slice(2)],
    { stdio: 'inherit', env },
  )
  process.exit(status ?? 1)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
