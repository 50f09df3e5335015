import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

const DEBIAN = '/usr/bin/chromium'
/** The same without windows, tabs and menus: pages take about two thirds of the processor time. */
const DEBIAN_SHELL = '/usr/bin/chromium-headless-shell'

/** It draws pages and makes no outside requests. */
export const BROWSER_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The browser that tests run in: like `findBrowser`, but Debian's headless shell first, where it is installed. */
export const findTestBrowser = (): string =>
  !process.env.CHROMIUM_PATH && existsSync(DEBIAN_SHELL) ? DEBIAN_SHELL : findBrowser()

/**
 * The browser people use, which is measured: CHROMIUM_PATH, Debian's, or Playwright's own; if there is none, one is installed (Debian's
 * package if this runs as root on Debian, otherwise Playwright's).
 * @returns the path of the program
 * @throws Error saying in one sentence what to do
 */
export function findBrowser(): string {
  const given = process.env.CHROMIUM_PATH
  if (given) {
    if (existsSync(given)) return given
    throw new Error(`CHROMIUM_PATH names ${given}, which does not exist.`)
  }
  const found = installed()
  if (found) return found
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    process.stdout.write('Installing Chromium for the browser tests\n')
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore' })
    spawnSync('apt-get', ['install', '-y', '-qq', 'chromium'], {
      stdio: 'ignore',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  } else {
    spawnSync(process.execPath, ['node_modules/@playwright/test/cli.js', 'install', 'chromium'], { stdio: 'inherit' })
  }
  const now = installed()
  if (now) return now
  throw new Error('The browser tests need Chromium: install it and set CHROMIUM_PATH to the program.')
}

function installed(): string | null {
  if (existsSync(DEBIAN)) return DEBIAN
  const own = chromium.executablePath()
  return own && existsSync(own) ? own : null
}
