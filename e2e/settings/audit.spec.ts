import { expect, type Page, test } from '@playwright/test'
import { expectAccessible, OPENED } from '../support/axe.ts'
import { dialog } from '../support/dialog.ts'
import { open, signInAs } from '../support/people.ts'
import { find, row, unique } from '../support/settings.ts'

test.setTimeout(60_000)

const entry = (page: Page, words: RegExp) => page.getByRole('row').filter({ hasText: words }).first()

test('an edit is found in Audit with before and after, and the chains are verified', { tag: '@main' }, async ({
  page,
}) => {
  const [before, after] = [unique('Lapsed early'), unique('Lapsed late')]
  const ask = await open(page, '/settings?tab=8', 'support')
  const { id } = await ask<{ id: string }>('sequence-event/admin/create', { name: before, value: 'refill_due' })
  await ask(`sequence-event/admin/${id}/edit`, { name: after, value: 'refill_due', version: 1 })
  await find(page, 'Find an entry', id)
  await expect(entry(page, /Edited a sequence event/)).toContainText(before)
  await entry(page, /Edited a sequence event/)
    .getByRole('button', { name: /^Details of/ })
    .click()
  await expect(page.getByRole('row', { name: `Name ${before} ${after}` })).toBeVisible()
  await expectAccessible(page, 'an opened entry of the audit')
  await page.route('**/api/audit/admin/verify', (route) => route.abort(), { times: 1 })
  await page.getByRole('button', { name: 'Verify now' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'The server did not answer' })).toBeVisible()
  await page.getByRole('button', { name: 'Verify now' }).click()
  await expect(page.getByText(/entries in [\d,]+ chains? are whole/)).toBeVisible({ timeout: 20_000 })
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  expect((await file).suggestedFilename()).toMatch(/^audit-.*\.csv$/)
  await find(page, 'Find an entry', 'nobody of this name')
  await expect(page.getByText('No records found')).toBeVisible()
})

test('head office sees what support looked at', async ({ page }) => {
  const ask = await signInAs(page, 'support')
  const { results } = await ask<{ results: { uuid: string }[] }>('company/search', { name: 'saltbush' })
  await ask(`company/${results[0]!.uuid}/locations`, {})
  await page.context().clearCookies()
  await open(page, '/financials')
  await page.getByRole('navigation', { name: 'Main' }).hover()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('button').last().click()
  await page.getByRole('menuitem', { name: 'Activity' }).click()
  await expect(page).toHaveTitle('Activity - Pillar')
  await expect(page.getByText(/^Pillar support.* looked at the pharmacies of a company/).first()).toBeVisible()
  await expectAccessible(page, 'Activity')
})

test('Ctrl+K finds a pharmacy by its upload key and opens its company; failures and empty results are reported', async ({
  page,
}) => {
  const ask = await open(page, '/settings?tab=2', 'support')
  const { results } = await ask<{ results: { uuid: string; name: string }[] }>('company/search', { name: 'saltbush' })
  const { data } = await ask<{ data: { uuid: string; name: string }[] }>(`company/${results[0]!.uuid}/locations`, {})
  const { data: keys } = await ask<{ data: { prefix: string | null }[] }>(`location/${data[0]!.uuid}/keys`, {})
  await expect(page.getByRole('rowheader').first()).toBeVisible()
  await page.keyboard.press('Control+k')
  const field = dialog(page, 'Find').getByRole('combobox', { name: 'Find' })
  await expect(field).toBeFocused()
  await field.fill(keys[0]!.prefix!)
  await expect(page.getByRole('option')).toHaveCount(1)
  await expect(page.getByRole('option')).toContainText(data[0]!.name)
  await expectAccessible(page, 'Find', OPENED)
  await field.fill('saltbush')
  await expect(page.getByRole('option').nth(1)).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('option').nth(1)).toHaveAttribute('aria-selected', 'true')
  await field.fill('nothing of this name')
  await expect(dialog(page, 'Find').getByText('Nothing matches')).toBeVisible()
  await page.route('**/api/find/admin', (route) =>
    route.fulfill({ status: 503, json: { code: 'unavailable', message: 'Busy.' } }),
  )
  await field.fill('anything')
  await expect(dialog(page, 'Find').getByText('Could not search')).toBeVisible()
  await page.unroute('**/api/find/admin')
  await field.fill(results[0]!.name)
  await expect(page.getByRole('option').first()).toContainText('Company')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`tab=0&find=${results[0]!.uuid}`))
  await expect(row(page, results[0]!.name)).toBeVisible()
})

test('Ctrl+K opens an upload in its pharmacy’s history, and a pharmacy at its details', async ({ page }) => {
  const ask = await open(page, '/settings?tab=2', 'support')
  const { results } = await ask<{ results: { uuid: string }[] }>('company/search', { name: 'saltbush' })
  const { data } = await ask<{ data: { uuid: string; name: string }[] }>(`company/${results[0]!.uuid}/locations`, {})
  // It is not among the first five of its company, which are all that an opened row shows at first.
  const place = data.at(-1)!
  const queue = await ask<{ queue: { uuid: string }[] }[]>('support/view-etl-queue-items', { id: [place.uuid] })
  const upload = queue[0]!.queue.at(-1)!.uuid
  await expect(page.getByRole('rowheader').first()).toBeVisible()
  const look = async (term: string, kind: string) => {
    await page.keyboard.press('Control+k')
    await dialog(page, 'Find').getByRole('combobox', { name: 'Find' }).fill(term)
    await expect(page.getByRole('option')).toHaveCount(1)
    await expect(page.getByRole('option')).toContainText(kind)
    await page.keyboard.press('Enter')
  }
  await look(upload, 'Upload')
  const history = dialog(page, `Pharmacy Upload History: ${place.name}`)
  await expect(history.getByRole('button', { name: `Copy UUID` })).toBeVisible()
  await expect(history.getByText(upload, { exact: true })).toBeVisible()
  // The address leads there again.
  await page.reload()
  await expect(history.getByText(upload, { exact: true })).toBeVisible()
  await history.getByRole('button', { name: 'Close' }).last().click()
  await expect(history).toHaveCount(0)
  await expect(page).not.toHaveURL(/upload=/)
  await page.goto('/settings?tab=2')
  await expect(page.getByRole('rowheader').first()).toBeVisible()
  await look(place.uuid, 'Pharmacy')
  await expect(page.getByRole('region', { name: 'Upload keys' })).toBeVisible()
  await expect(page.getByRole('button', { name: `Details of ${place.name}` })).toHaveAttribute('aria-expanded', 'true')
})

test('the link of an audit entry opens it', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const ask = await open(page, '/settings?tab=8', 'support')
  const { id } = await ask<{ id: string }>('sequence-event/admin/create', {
    name: unique('Linked'),
    value: 'refill_due',
  })
  await find(page, 'Find an entry', id)
  await entry(page, /Created a sequence event/)
    .getByRole('button', { name: /^More about/ })
    .click()
  await page.getByRole('menuitem', { name: 'Copy link' }).click()
  await expect(page.getByText('Link copied')).toBeVisible()
  await page.goto(await page.evaluate(() => navigator.clipboard.readText()))
  await expect(page.getByRole('button', { name: /^Details of/ })).toHaveCount(1)
  await expect(page.getByRole('button', { name: /^Details of/ })).toHaveAttribute('aria-expanded', 'true')
  await expect(page.getByText('Created a sequence event')).toBeVisible()
})

test('a link is copied even on a plain http address, and if it cannot be the page says so', async ({ page }) => {
  // As on an insecure address, where a page has no clipboard.
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined })
    document.addEventListener('copy', () => {
      document.documentElement.dataset.copied = (document.activeElement as HTMLTextAreaElement).value
    })
  })
  await open(page, '/settings', 'support')
  const copyLink = async () => {
    await page
      .getByRole('button', { name: /^More about / })
      .first()
      .click()
    await page.getByRole('menuitem', { name: 'Copy link' }).click()
  }
  await copyLink()
  await expect(page.getByText('Link copied')).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-copied', /\/settings\?find=/)
  await page.evaluate(() => {
    document.execCommand = () => false
  })
  await copyLink()
  await expect(page.getByRole('alert')).toHaveText(/Link could not be copied: /)
})
