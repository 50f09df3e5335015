import { expect, type Page, test } from '@playwright/test'
import { type Ask, PASSWORD } from './people.ts'

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

/** Makes a write that needs step-up, as the support person, over the wire. */
export async function write<T>(
  ask: Ask,
  path: string,
  input: object,
  object: string | null,
  action = 'save',
): Promise<T> {
  const about = { name: 'support', password: PASSWORD, action, ...(object === null ? {} : { object }) }
  const { grant } = await ask<{ grant: string }>('confirm-enterprise-login', about)
  return ask<T>(path, input, { 'x-step-up-grant': grant })
}
