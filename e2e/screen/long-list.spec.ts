import { expect, test } from '@playwright/test'
import { makeNetwork } from '../support/messaging.ts'
import { open } from '../support/people.ts'
import { row } from '../support/settings.ts'

/** More rows than a table draws in full. */
const PHARMACIES = 1_000

test('a company of a thousand pharmacies opens at once, and its last one can be reached', async ({ page }) => {
  const { company, pharmacies, sql } = await makeNetwork()
  await sql(
    `insert into location (uuid, company_id, name, region, postcode, country, time_zone)
     select gen_random_uuid(), company_id, 'Branch ' || lpad(n::text, 4, '0'), region, postcode, country, time_zone
     from location, generate_series(1, $2::int) as n where id = $1`,
    [pharmacies[0]!.id, PHARMACIES],
  )
  await open(page, `/settings?tab=0&find=${company.name}`, 'support')
  await row(page, company.name)
    .getByRole('button', { name: `Details of ${company.name}` })
    .click()
  const inside = page.getByRole('region', { name: 'Pharmacies', exact: true })
  await expect(inside.getByText('1,001', { exact: true })).toBeVisible()
  await inside.getByRole('button', { name: 'Show the other 996' }).click()
  const table = inside.getByRole('table', { name: 'Pharmacies' })
  await expect(table).toHaveAttribute('aria-rowcount', '1002')
  await expect(inside).toBeFocused()
  const named = (name: string) => table.getByRole('rowheader', { name, exact: true })
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 })
    // Only the visible rows are drawn, and a few around them.
    await expect.poll(() => table.getByRole('row').count()).toBeLessThan(60)
    await expect(async () => {
      await table.locator('..').evaluate((box) => box.scrollTo(0, box.scrollHeight))
      await expect(named(pharmacies[0]!.name)).toBeVisible({ timeout: 500 })
    }).toPass({ timeout: 15_000 })
    await expect(named('Branch 0001')).toHaveCount(0)
    await table.locator('..').evaluate((box) => box.scrollTo(0, 0))
    await expect(named('Branch 0001')).toBeVisible()
  }
})

test('while a list is loading, nothing says how many rows or pages it has', async ({ page }) => {
  await open(page, '/settings?tab=0', 'support')
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await expect(pages).toContainText(/^1–\d+ of [\d,]+/)
  let answer = () => {}
  const held = new Promise<void>((done) => {
    answer = done
  })
  await page.route('**/api/get-users', async (route) => {
    await held
    await route.continue()
  })
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  await expect(page.getByText('Loading records, please wait...')).toBeVisible()
  await expect(pages).toHaveText('')
  answer()
  await expect(pages).toContainText(/^1–\d+ of [\d,]+Page 1 of/)
})

test('a page that no longer exists gives way to the last one', async ({ page }) => {
  await open(page, '/settings?tab=1&page=900', 'support')
  await expect(page.getByRole('rowheader').first()).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Pages' })).not.toContainText('900')
  await expect(page.getByText('No users yet')).toHaveCount(0)
  await expect(page).not.toHaveURL(/page=900/)
})

for (const [who, path, list] of [
  ['support', '/settings?tab=0', 'Companies'],
  ['headoffice', '/campaigns', 'Messages by pharmacy'],
] as const) {
  test(`${list}: what opens under the lowest visible row is scrolled into view`, async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 600 })
    await open(page, path, who)
    const rows = page.getByRole('table', { name: list }).getByRole('button', { name: /^Details of / })
    await expect(rows.nth(4)).toBeVisible()
    const shown = await rows.evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().bottom < 540).length)
    const lowest = rows.nth(shown - 1)
    await lowest.click()
    const details = lowest.locator('xpath=ancestor::tr/following-sibling::tr[1]')
    await expect(details).toBeInViewport({ ratio: 0.9 })
    await expect(lowest).toBeInViewport()
  })
}
