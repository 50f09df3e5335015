import type { Locator, Page } from '@playwright/test'

/** Opens the menu of files of Financials. @returns what it offers under this name */
export async function offered(page: Page, name: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  return page.getByRole('menuitem', { name: new RegExp(`^${name}`) })
}

/** Asks Financials for a file of its menu. */
export async function ask(page: Page, name: string): Promise<void> {
  await (await offered(page, name)).click()
}
