import type { Page } from '@playwright/test'

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
