import { expect, test } from '@playwright/test'
import { expectNoSerious } from './axe.ts'
import { grid, settled } from './grid.ts'
import { open } from './people.ts'

/** What is open over the page, which is then hidden from everyone; axe has looked at the page before. */
const OPENED = '[role=dialog]'

const WINDOWS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const

for (const colorScheme of ['light', 'dark'] as const) {
  for (const viewport of WINDOWS) {
    test.describe(`${colorScheme}, ${viewport.width} wide`, () => {
      test.use({ colorScheme, viewport, reducedMotion: 'reduce' } as object)

      test('public pages', async ({ page }) => {
        await page.goto('/login')
        await page.getByRole('button', { name: 'Sign in' }).click()
        await expect(page.getByRole('alert')).not.toBeEmpty()
        await expect(page.getByText('Need help?')).toBeVisible()
        await expectNoSerious(page, 'login')
        await page.getByRole('button', { name: 'Forgot password?' }).click()
        await expect(page.getByRole('heading', { name: 'Forgot password' })).toBeVisible()
        await expectNoSerious(page, 'forgotten password')
        await page.goto('/reset-password/none')
        await page.getByRole('button', { name: 'Submit' }).click()
        await expect(page.getByRole('alert')).toContainText('Warning: ')
        await expectNoSerious(page, 'reset')
        await page.goto('/outbox')
        await expect(page.getByText('This installation has no mail server.')).toBeVisible()
        await expect(page.getByRole('status')).toHaveCount(0)
        await expectNoSerious(page, 'outbox')
        await page.goto('/no-such-page')
        await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
        await expectNoSerious(page, 'not found')
      })

      test('Financials and what opens on it', async ({ page }) => {
        await open(page)
        await settled(page)
        await expectNoSerious(page, 'Financials')
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width)
        await page.getByRole('radio', { name: 'Adherence' }).click()
        await settled(page)
        await expectNoSerious(page, 'Financials, adherence')

        const opened = async (state: string, name: string | RegExp, button: string | RegExp) => {
          await page.getByRole('button', { name: button }).click()
          const dialog = page.getByRole('dialog', { name })
          await expect(dialog).toBeVisible()
          await expect(dialog).toHaveCSS('opacity', '1')
          await expectNoSerious(page, state, OPENED)
          await page.keyboard.press('Escape')
          await expect(dialog).toHaveCount(0)
        }
        await opened('period', 'Period', /^Financial year/)
        await opened('filter', 'Filter Category', /^Filter$/)
        await opened('late', /pharmacies are late/, /pharmacies are late/)
        await opened('columns', 'Columns', /^Columns$/)

        await page.getByRole('button', { name: 'How patients is worked out' }).click()
        await expect(page.getByText('The parts add up to the number.')).toBeVisible()
        await expectNoSerious(page, 'explanation', OPENED)
        await page.keyboard.press('Escape')
        await grid(page).press('Enter')
        await page.getByRole('tab', { name: 'Patients behind this' }).click()
        await expect(page.getByText(/\d rows, \d+ a page/)).toBeVisible()
        await expectNoSerious(page, 'patients', OPENED)
      })
    })
  }
}

test('nothing scrolls sideways on a small phone', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  for (const path of ['/login', '/reset-password/none', '/outbox', '/no-such-page']) {
    await page.goto(path)
    await expect(page.getByRole('heading').first()).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(320)
  }
})
