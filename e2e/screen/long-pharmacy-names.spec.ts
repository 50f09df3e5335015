import { expect, test } from '@playwright/test'
import { makeNetwork } from '../support/messaging.ts'
import { open } from '../support/people.ts'
import { beyond } from '../support/reach.ts'

const LONG = 'Banksia Community Pharmacy and Compounding Centre of Upper Ferntree Gully'

test('pharmacies whose names differ only at their end can be told apart wherever they are listed or selected', async ({
  page,
}) => {
  const { company, sql, username } = await makeNetwork({ pharmacies: 2 })
  for (const end of ['North', 'South'])
    await sql(
      `update location set name = $2 where id = (select max(id) from location where company_id = $1 and name not like 'Banksia%')`,
      [company.id, `${LONG} ${end}`],
    )
  await open(page, '/campaigns', username)
  /** Whether the whole name is on the screen, not only its beginning. */
  const inFull = (name: string) =>
    page
      .getByText(name, { exact: true })
      .filter({ visible: true })
      .last()
      .evaluate((one) => {
        for (let box: Element | null = one; box; box = box.parentElement)
          if (getComputedStyle(box).textOverflow === 'ellipsis' && box.scrollWidth > box.clientWidth) return false
        return true
      })
  for (const width of [1440, 320]) {
    await page.setViewportSize({ width, height: 800 })
    await expect(page.getByRole('rowheader', { name: `${LONG} North` })).toBeVisible()
    expect(await inFull(`${LONG} North`)).toBe(true)
    await page.getByRole('button', { name: 'All 2 pharmacies' }).click()
    await expect(page.getByRole('option', { name: `${LONG} South` })).toBeVisible()
    expect(await inFull(`${LONG} South`)).toBe(true)
    expect(await beyond(page)).toEqual([])
    await page.keyboard.press('Escape')
  }
  await page.goto('/campaigns?dialog=new-campaign')
  await page.getByRole('button', { name: /^Pharmacies/ }).click()
  const options = page.getByRole('option')
  await expect(options).toHaveCount(2)
  expect(await inFull(`${LONG} South`)).toBe(true)
  // The second begins where the first ends.
  const [first, second] = await Promise.all([options.first().boundingBox(), options.last().boundingBox()])
  expect(second!.y).toBeGreaterThanOrEqual(first!.y + first!.height - 1)
})
