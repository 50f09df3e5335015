import { expect, type Page, test } from '@playwright/test'
import { PASSWORD } from './people.ts'

export const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
export const row = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) })
export const unique = (name: string) => `${name} ${test.info().workerIndex}-${Date.now() % 1_000_000}`

export async function confirm(page: Page, button: string | RegExp): Promise<void> {
  await page.getByLabel('Password', { exact: true }).last().fill(PASSWORD)
  await page.getByRole('button', { name: button }).last().click()
}

export async function find(page: Page, what: string, name: string): Promise<void> {
  await page.getByRole('searchbox', { name: what }).fill(name)
  await expect(page).toHaveURL(/find=/)
}
