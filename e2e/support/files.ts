import type { Locator, Page } from '@playwright/test'

/** Opens Financials' menu of files. @returns the item with this name */
export async function offered(page: Page, name: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  return page.getByRole('menuitem', { name: new RegExp(`^${name}`) })
}

/** Requests a file from Financials' menu. */
export async function ask(page: Page, name: string): Promise<void> {
  await (await offered(page, name)).click()
}
