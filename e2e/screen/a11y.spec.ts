import { expect, test } from '@playwright/test'
import { expectAccessibleInBoth, OPENED } from '../support/axe.ts'
import { offered } from '../support/files.ts'
import { grid, settled } from '../support/grid.ts'
import { open } from '../support/people.ts'

const WINDOWS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const

for (const viewport of WINDOWS) {
  const tag = viewport === WINDOWS[0] ? '@main' : []
  test.describe(`${viewport.width} wide`, () => {
    test.use({ viewport })
    test.setTimeout(180_000)

    test('public pages', { tag }, async ({ page }) => {
      await page.goto('/login')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await expect(page.getByRole('alert')).not.toBeEmpty()
      await expect(page.getByText('Need help?')).toBeVisible()
      await expectAccessibleInBoth(page, 'login')
      await page.getByRole('button', { name: 'Forgot password?' }).click()
      await expect(page.getByRole('heading', { name: 'Forgot password' })).toBeVisible()
      await expectAccessibleInBoth(page, 'forgotten password')
      await page.goto('/reset-password/none')
      await expect(page.getByRole('alert')).toContainText('Warning: ')
      await expectAccessibleInBoth(page, 'reset')
      await page.goto('/outbox')
      await expect(page.getByText('This installation has no mail server.')).toBeVisible()
      await expect(page.getByRole('status')).toHaveCount(0)
      await expectAccessibleInBoth(page, 'outbox')
      await page.goto('/no-such-page')
      await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
      await expectAccessibleInBoth(page, 'not found')
    })

    test('Financials', { tag }, async ({ page }) => {
      await open(page)
      await settled(page)
      await expectAccessibleInBoth(page, 'Financials')
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width)
    })

    test('dialogs and menus on Financials', async ({ page }) => {
      await open(page)
      await settled(page)
      await page.getByRole('radio', { name: 'Adherence' }).click()
      await settled(page)
      await expectAccessibleInBoth(page, 'Financials, adherence')

      const opened = async (state: string, name: string | RegExp, button: string | RegExp, then = async () => {}) => {
        await page.getByRole('button', { name: button }).click()
        const dialog = page.getByRole('dialog', { name })
        await expect(dialog).toBeVisible()
        await expect(dialog).toHaveCSS('opacity', '1')
        await then()
        await expectAccessibleInBoth(page, state, OPENED)
        await page.keyboard.press('Escape')
        await expect(dialog).toHaveCount(0)
      }
      await opened('period', 'Period', /^Financial year/)
      await opened('filter, nothing found', 'Filter Category', /^Filter$/, async () => {
        await page.getByLabel('Search pharmacies').fill('none such')
        await expect(page.getByText('No records found')).toBeVisible()
      })
      await opened('late', /pharmacies are late/, /pharmacies are late/)
      await opened('columns', 'Columns', /^Columns$/)
      await opened('opportunity', 'How the opportunity is calculated', 'How this is calculated')

      await page.getByRole('button', { name: 'Patients: how it is calculated' }).click()
      await expect(page.getByText('The parts add up to the number.')).toBeVisible()
      await expectAccessibleInBoth(page, 'explanation', OPENED)
      await page.keyboard.press('Escape')
      await grid(page).press('ArrowRight')
      await grid(page).press('Enter')
      await page.getByRole('tab', { name: 'Patients behind this' }).click()
      await expect(page.getByText(/\d rows, \d+ a page/)).toBeVisible()
      await expectAccessibleInBoth(page, 'patients', OPENED)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    })
  })
}

test.describe('states that few people see', () => {
  test('menus, the profile, the report, and failures, on Financials', async ({ page }) => {
    test.setTimeout(120_000)
    const refuse = (path: string) =>
      page.route(path, (route) => route.fulfill({ status: 500, json: { message: 'Broken.' } }))
    await open(page)
    await settled(page)
    await page.getByRole('button', { name: 'Group Drug Type' }).click()
    await expectAccessibleInBoth(page, 'groups', '[role=menu]')
    await page.keyboard.press('Escape')
    await refuse('**/api/enterprise-pharmacy-table-csv')
    const file = await offered(page, 'Export CSV')
    await expectAccessibleInBoth(page, 'files', '[role=menu]')
    await file.click()
    await expect(page.getByText('The file was not made. Broken.')).toBeVisible()
    await expectAccessibleInBoth(page, 'a failure said in the corner')

    await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Helen Kowalski' }).click()
    await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible()
    await expectAccessibleInBoth(page, 'profile', ['[role=menu]', '#rail'])
    await page.getByRole('menuitem', { name: 'Message History Report' }).click()
    await expect(page.getByRole('dialog', { name: 'Generate Message History Report' })).toHaveCSS('opacity', '1')
    await page.getByLabel('From').fill('')
    await expectAccessibleInBoth(page, 'report', OPENED)

    await refuse('**/api/enterprise-pharmacy-table')
    await refuse('**/api/enterprise-pharmacy-stats')
    await page.goto('/financials?postcode=0999')
    await expect(page.getByText('No pharmacy matches these filters')).toBeVisible()
    await expectAccessibleInBoth(page, 'nothing matches')
    await page.goto('/financials')
    await expect(page.getByText('Could not load the table')).toBeVisible()
    await expectAccessibleInBoth(page, 'nothing loads')
  })

  test('the session’s warning', async ({ page }) => {
    await page.clock.install()
    await open(page)
    await settled(page)
    await expect(page.getByRole('button', { name: 'How this is calculated' })).toBeVisible()
    await page.clock.fastForward('13:30')
    await expect(page.getByRole('dialog', { name: 'Are you still there?' })).toHaveCSS('opacity', '1')
    await page.route('**/api/refresh', (route) => route.abort())
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByRole('alert')).toContainText('The server did not answer.')
    await expectAccessibleInBoth(page, 'warning', OPENED)
  })
})

test('nothing scrolls sideways on a small phone', { tag: '@main' }, async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  for (const path of ['/login', '/reset-password/none', '/outbox', '/no-such-page']) {
    await page.goto(path)
    await expect(page.getByRole('heading').first()).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(320)
  }
})
