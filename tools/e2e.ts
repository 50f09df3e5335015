import { findTestBrowser } from './browser.ts'
import { run } from './run.ts'
import { makeScratch } from './scratch.ts'

/**
 * Runs the browser tests on a real server and a real browser: those of the main paths (tagged @main); with `--deep` the others instead;
 * and both if files or titles are named. Passes arguments on to Playwright.
 */
const given = process.argv.slice(2)
const rest = given.filter((word) => word !== '--deep')
const named = rest.some((word) => !word.startsWith('-'))
const tests = given.includes('--deep') ? 'deep' : named ? 'all' : 'main'
const { folder, remove } = makeScratch()
let code = 1
try {
  const args = ['node_modules/@playwright/test/cli.js', 'test', '-c', 'e2e/playwright.config.ts', ...rest]
  code = await run(args, { TMPDIR: folder, CHROMIUM_PATH: findTestBrowser(), E2E_TESTS: tests })
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
} finally {
  remove()
}
process.exit(code)
