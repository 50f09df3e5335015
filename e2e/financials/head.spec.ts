import { expect, test } from '@playwright/test'
import { grid, settled } from '../support/grid.ts'
import { open, RUNNING } from '../support/people.ts'

test('head and filter bar stay in one row each at 1440, whatever the period', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  for (const address of ['/financials', `/financials?period=${RUNNING.year - 1}&statistic=loyalty`]) {
    await open(page, address)
    await settled(page)
    const bar = await page.getByRole('region', { name: 'Filters' }).boundingBox()
    const head = await page.locator('header', { has: page.getByRole('heading') }).boundingBox()
    expect([bar?.height, head?.height].map((height) => Math.round(height ?? 0))).toEqual([48, 60])
  }
})

test('the figures are in a strip of 108 px, with their parts on one line', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await open(page)
  await settled(page)
  const cell = page.getByRole('region', { name: 'Patients measured for adherence' })
  await expect(cell.getByText('Not adherent')).toBeVisible()
  expect(Math.round((await cell.boundingBox())?.height ?? 0)).toBeLessThanOrEqual(108)
  // On a smaller laptop each takes a second line, but no more.
  await page.setViewportSize({ width: 1280, height: 800 })
  expect(Math.round((await cell.boundingBox())?.height ?? 0)).toBeLessThanOrEqual(144)
})

test('the list of late pharmacies stays open when the figures arrive', async ({ page }) => {
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  await page.route('**/api/enterprise-pharmacy-stats', async (route) => {
    await held
    await route.continue()
  })
  await open(page)
  await page.getByRole('button', { name: /pharmacies are late$/ }).click()
  const panel = page.getByRole('dialog', { name: / are late$/ })
  await expect(panel).toBeVisible()
  release()
  await expect(page.getByText(/^Data to /)).toBeAttached()
  await expect(panel.getByRole('button', { name: 'Leave them out' })).toBeVisible()
})

test('a pharmacy opened from the table keeps its period', async ({ page }) => {
  await open(page, `/financials?period=${RUNNING.year}-10`)
  const name = grid(page).getByRole('rowheader').nth(3).getByRole('link')
  await name.click()
  await expect(page).toHaveURL(new RegExp(`/financials/pharmacy/[^?]+\\?period=${RUNNING.year}-10$`))
  await page.goBack()
  await settled(page)
  await grid(page).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/financials/pharmacy/[^?]+\\?period=${RUNNING.year}-10$`))
})

test('with wide letter spacing a head of three lines is complete, and the pinned rows stick below it', async ({
  page,
}) => {
  await open(page)
  await settled(page)
  await page.addStyleTag({ content: '* { letter-spacing: 0.12em !important; word-spacing: 0.16em !important }' })
  const heads = grid(page).locator('thead th > span:has(span)')
  const cut = () =>
    heads.evaluateAll((all) =>
      all.flatMap((one) => {
        const words = one.lastElementChild!
        const { bottom } = one.closest('th')!.getBoundingClientRect()
        const whole = words.getBoundingClientRect().bottom <= bottom && words.scrollHeight <= words.clientHeight + 1
        return whole ? [] : [one.textContent]
      }),
    )
  await expect.poll(cut).toEqual([])
  await grid(page)
    .locator('..')
    .evaluate((box) => box.scrollBy({ top: 300 }))
  await expect
    .poll(() =>
      grid(page).evaluate((table) => {
        const [head, pinned] = [...table.querySelectorAll('thead, tbody')].map((one) => one.getBoundingClientRect())
        return pinned!.top - head!.bottom
      }),
    )
    .toBe(0)
})
