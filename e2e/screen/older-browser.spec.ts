import { expect, type Page, test } from '@playwright/test'
import { patientLinks } from '../support/patients.ts'
import { open } from '../support/people.ts'

/** What browsers had from some version on, as 'object.name'; Safari's version is usually the last. */
const SAFARI_16 = [
  'AbortSignal.timeout',
  'Array.prototype.toSorted',
  'Array.prototype.toReversed',
  'Array.prototype.with',
]
const AFTER_16_4 = [
  ...[
    'AbortSignal.any',
    'URL.canParse',
    'URL.parse',
    'Object.groupBy',
    'Map.groupBy',
    'Promise.withResolvers',
    'Promise.try',
  ],
  ...[
    'Array.fromAsync',
    'Element.prototype.checkVisibility',
    'Document.prototype.startViewTransition',
    'RegExp.escape',
  ],
  ...['Iterator.prototype.map', 'Iterator.prototype.filter', 'Iterator.prototype.toArray', 'Set.prototype.union'],
  ...['Set.prototype.difference', 'Set.prototype.isSubsetOf', 'Intl.DurationFormat', 'globalThis.requestIdleCallback'],
]

/** A browser without these. @returns what the page's scripts complained of, filled as it happens */
async function without(page: Page, names: readonly string[]): Promise<string[]> {
  const faults: string[] = []
  page.on('pageerror', ({ message }) => faults.push(message))
  await page.addInitScript((all) => {
    for (const name of all) {
      const parts = name.split('.')
      const last = parts.pop()!
      const holder = parts.reduce<Record<string, unknown> | undefined>(
        (object, part) => object?.[part] as Record<string, unknown> | undefined,
        globalThis as unknown as Record<string, unknown>,
      )
      if (holder) delete holder[last]
    }
  }, names)
  return faults
}

test('a patient whose phone is as old as iOS 15.4 chooses what to get, and unsubscribes', async ({ page }) => {
  const faults = await without(page, [...SAFARI_16, ...AFTER_16_4])
  const links = await patientLinks()
  await page.goto(links.consent)
  await page.getByRole('checkbox', { name: 'I am a person' }).click()
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('Your preferences have been successfully submitted.')).toBeVisible()
  await page.goto(links.unsubscribe)
  await page.getByRole('checkbox', { name: 'I am a person' }).click()
  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await expect(page.getByText('You have successfully unsubscribed from email communications.')).toBeVisible()
  expect(faults).toEqual([])
})

test('staff whose browser is as old as Safari 16.4 sign in, read figures and write a text', async ({ page }) => {
  const faults = await without(page, AFTER_16_4)
  await page.goto('/login')
  await page.getByLabel('Username or email').fill('headoffice')
  await page.getByLabel('Password', { exact: true }).fill('Pillar-demo-2026')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('rowheader', { name: /^TOTAL/ })).toBeVisible()
  await open(page, '/campaigns?dialog=new-template')
  await page.getByLabel('Template name').fill('Older browsers')
  await page.getByRole('textbox', { name: 'Message' }).click()
  await page.keyboard.type('Hello {Fi')
  await expect(page.getByRole('option', { name: 'First Name' })).toBeVisible()
  expect(faults).toEqual([])
})
