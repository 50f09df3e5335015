import type { Page, Route } from '@playwright/test'

/** Refuses a call until the returned function is called. */
export async function refuse(page: Page, path: string, code = 'failed', status = 500): Promise<() => Promise<void>> {
  await page.route(path, (route) => route.fulfill({ status, json: { code, message: 'Broken.' } }))
  return () => page.unroute(path)
}

/** Holds requests to this address. @returns a function that releases them */
export async function hold(page: Page, address: string | RegExp): Promise<() => void> {
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  await page.route(address, async (route) => {
    await held
    await route.continue()
  })
  return release
}

/** How a read fails. */
export const FAULTS = {
  'the server fails': (route: Route) => route.fulfill({ status: 500, json: { code: 'failed', message: 'Broken.' } }),
  'it is refused': (route: Route) => route.fulfill({ status: 403, json: { code: 'not_allowed', message: 'Broken.' } }),
  'nothing answers': (route: Route) => route.abort(),
} as const

/** Any call but those of the session, without which there is no page to read anything. */
export const ANY_READ = /\/api\/(?!refresh$|logout$|report-error$)/

/** The path of a call, with `*` for each id in it. */
export const callOf = (url: string): string =>
  new URL(url).pathname.replace(/^\/api\//, '').replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '*')
