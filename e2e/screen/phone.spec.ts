import { expect, type Locator, test } from '@playwright/test'
import { dialog } from '../support/dialog.ts'
import { settled } from '../support/grid.ts'
import { open } from '../support/people.ts'

test.use({ viewport: { width: 390, height: 844 } })

const LONG = 'Saltbush Community Pharmacy and Compounding Centre of Upper Ferntree Gully North'

/** Buttons, links and facts that extend past the edge of their part, and buttons whose words are cut off. */
const cut = (part: Locator) =>
  part.evaluate((root) => {
    const { left, right, top, bottom } = root.getBoundingClientRect()
    const name = (one: Element) => one.getAttribute('aria-label') ?? one.textContent
    const out = [...root.querySelectorAll('button, a, dd, dd *')].filter((one) => {
      const box = one.getBoundingClientRect()
      return box.width > 0 && (box.left < left - 1 || box.right > right + 1)
    })
    const clipped = [...root.querySelectorAll('.mantine-Button-label')].filter(
      (one) => one.scrollWidth > one.clientWidth,
    )
    const off =
      top < 0 || bottom > window.innerHeight || left < 0 || right > window.innerWidth ? ['the part itself'] : []
    return [...off, ...[...out, ...clipped].map(name)]
  })

test('below the table of Financials every button is readable, and the columns to choose from are on the screen', async ({
  page,
}) => {
  await open(page)
  await settled(page)
  const columns = page.getByRole('button', { name: 'Columns' })
  await columns.scrollIntoViewIfNeeded()
  expect(await cut(columns.locator('..'))).toEqual([])
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 700 })
    await columns.evaluate((one) => one.scrollIntoView({ block: 'center' }))
    await columns.click()
    await expect(dialog(page, 'Columns')).toHaveCSS('opacity', '1')
    await expect.poll(() => cut(dialog(page, 'Columns')), { message: `${width} wide` }).toEqual([])
    await page.keyboard.press('Escape')
    await expect(dialog(page, 'Columns')).toHaveCount(0)
  }
})

test('a long name wraps and leaves a dialog’s close button in reach', async ({ page }) => {
  await open(page, '/campaigns?dialog=new-campaign')
  await page.getByLabel('Campaign name').fill('W'.repeat(60))
  await page.getByRole('button', { name: 'Refine Cohort' }).click()
  const cohort = dialog(page, /^Refine Cohort/)
  await expect(cohort).toHaveCSS('opacity', '1')
  expect(await cut(cohort)).toEqual([])
})

test('every act on a reply is in reach', async ({ page }) => {
  await page.route('**/api/messaging/replies', (route) => {
    const id = '01980000-0000-7000-8000-000000000001'
    const sent_at = '2026-11-13T01:00:00Z'
    const reply = {
      ...{ reply_id: id, pharmacy_id: id, pharmacy_name: LONG, time_zone: 'Australia/Sydney', patient_refs: ['7'] },
      ...{ number_end: '008', text: 'Who is this?', may_stop: false, holders: { patients: 1, out: 0 } },
      ...{ received_at: sent_at, answers: { campaign_id: id, name: 'Repeats due', sent_at } },
      ...{ read_at: null, read_by: null, stopped_at: null, stopped_by: null },
    }
    return route.fulfill({ json: { replies: [reply], current_page: 1, page_count: 1, per_page: 20, total: 1 } })
  })
  await open(page, '/campaigns?dialog=replies')
  const replies = dialog(page, 'Replies')
  await expect(replies.getByRole('button', { name: 'Mark as read', exact: true })).toBeVisible()
  expect(await cut(replies)).toEqual([])
})

test('replies that could not be loaded are not counted as none', async ({ page }) => {
  await page.route('**/api/messaging/replies', (route) => route.fulfill({ status: 500, json: { message: 'Broken.' } }))
  await open(page, '/campaigns?dialog=replies')
  await expect(dialog(page, 'Replies').getByText('Could not load the replies')).toBeVisible()
  await expect(dialog(page, 'Replies').getByText(/^0 /)).toHaveCount(0)
})

test('a pharmacy’s contact is shown in full, and its long name does not push the page aside', async ({ page }) => {
  await page.route('**/api/s8/*/info', async (route) => {
    const answer = await route.fetch()
    const info = await answer.json()
    await route.fulfill({ response: answer, json: { ...info, location: { ...info.location, name: LONG } } })
  })
  await open(page, '/s8management', 'controlled')
  await page.getByRole('row', { name: /Canal Road Pharmacy/ }).click()
  await expect(page.getByRole('heading', { name: LONG })).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await page.getByRole('button', { name: 'Contact' }).click()
  await expect(dialog(page, /^Contact /)).toHaveCSS('opacity', '1')
  expect(await cut(dialog(page, /^Contact /))).toEqual([])
})

test('a long selection stays inside its field', async ({ page }) => {
  await open(page, '/campaigns?dialog=new-campaign')
  const field = dialog(page, 'New campaign').getByRole('button', { name: /^Pharmacies/ })
  await field.click()
  await page.locator('.mantine-Combobox-dropdown').getByText('Select All', { exact: true }).click()
  await page.keyboard.press('Escape')
  await expect(field.getByText(/^\+ \d+ more$/)).toBeVisible()
  const inside = await field.evaluate((root) => {
    const { right } = root.getBoundingClientRect()
    return [...root.querySelectorAll('span')].every((one) => one.getBoundingClientRect().right <= right)
  })
  expect(inside).toBe(true)
})
