import { expect, test } from '@playwright/test'
import { makeNetwork } from '../support/messaging.ts'
import { open } from '../support/people.ts'
import { row } from '../support/settings.ts'

/** More than a table draws whole. */
const PHARMACIES = 1_000

test('a company of a thousand pharmacies opens at once, and its last one is reached', async ({ page }) => {
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
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 })
    // Only those in view are drawn, and a few around them.
    await expect.poll(() => table.getByRole('row').count()).toBeLessThan(60)
    await expect(async () => {
      await table.locator('..').evaluate((box) => box.scrollTo(0, box.scrollHeight))
      await expect(row(page, pharmacies[0]!.name)).toBeInViewport({ timeout: 500 })
    }).toPass()
    await table.locator('..').evaluate((box) => box.scrollTo(0, 0))
    await expect(row(page, 'Branch 0001')).toBeInViewport()
  }
})
