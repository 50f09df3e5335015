import { expect, type Page, test } from '@playwright/test'
import { ALL_DRAWN, cellsOf, grid, numberIn, settled } from '../support/grid.ts'
import { open } from '../support/people.ts'

/** The cell focused by keyboard, as 'row,column'; the head is row 0, the names are column 0. */
const place = async (page: Page) =>
  (await grid(page).getAttribute('aria-activedescendant'))?.replace(/^cell-(\d+)-(\d+)$/, '$1,$2')

test('sorting by click and by keyboard', { tag: '@main' }, async ({ page }) => {
  await open(page)
  await settled(page)
  const head = (name: string) => grid(page).getByRole('columnheader', { name })
  const names = async () => (await cellsOf(page)).slice(4).map(([name]) => name ?? '')
  await expect(head('All drug types')).toHaveAttribute('aria-sort', 'descending')
  await expect(head('Pharmacy')).toHaveAttribute('aria-sort', 'none')

  await head('Pharmacy').click()
  await expect(head('Pharmacy')).toHaveAttribute('aria-sort', 'ascending')
  const ascending = await names()
  expect(ascending).toEqual([...ascending].sort((a, b) => a.localeCompare(b, 'en')))

  await head('Diabetes').click()
  await expect(head('Diabetes')).toHaveAttribute('aria-sort', 'descending')
  await expect(page).toHaveURL('/financials?sort=Diabetes')
  const column = async () => (await cellsOf(page)).slice(4).map((row) => numberIn(row[2] ?? ''))
  const falling = await column()
  expect(falling).toEqual([...falling].sort((a, b) => b - a))

  // The same by keyboard: up to the head, where Enter reverses the order.
  await grid(page).press('Control+Home')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(head('Diabetes')).toHaveAttribute('aria-sort', 'ascending')
  await expect(page).toHaveURL('/financials?sort=Diabetes&order=asc')
  const rising = (await column()).filter((value) => !Number.isNaN(value))
  expect(rising).toEqual([...rising].sort((a, b) => a - b))
})

test('the keyboard moves through the table', async ({ page }) => {
  await open(page)
  await settled(page)
  const rows = Number(await grid(page).getAttribute('aria-rowcount')) - 1
  const columns = Number(await grid(page).getAttribute('aria-colcount')) - 1
  await grid(page).focus()
  expect(await place(page)).toBe('4,0')
  const walk = async (key: string, to: string) => {
    await page.keyboard.press(key)
    await expect.poll(() => place(page), `after ${key}`).toBe(to)
    // The cell that the grid names as active exists, and is visible beside the sticky parts.
    await expect(page.locator(`#cell-${to.replace(',', '-')}`)).toBeInViewport({ ratio: 0.5 })
  }
  await walk('ArrowDown', '5,0')
  await walk('ArrowRight', '5,1')
  await walk('ArrowUp', '4,1')
  await walk('ArrowLeft', '4,0')
  await walk('ArrowLeft', '4,0')
  await walk('End', `4,${columns}`)
  await walk('Home', '4,0')
  await walk('Control+End', `${rows},${columns}`)
  await walk('Control+Home', '0,0')
  await page.keyboard.press('PageDown')
  const [landed = 0] = (await place(page))?.split(',').map(Number) ?? []
  expect(landed).toBeGreaterThan(4)
  await walk('PageUp', '0,0')
})

test('Enter explains the figure, Esc returns the focus', async ({ page }) => {
  await open(page)
  await settled(page)
  await grid(page).focus()
  await page.keyboard.press('ArrowRight')
  const name = (await cellsOf(page))[4]?.[0]
  const figure = (await cellsOf(page))[4]?.[1] ?? ''
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog', { name: `${name} · All drug types` })
  await expect(drawer.getByText(figure).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
  await expect(grid(page)).toBeFocused()
  expect(await place(page)).toBe('4,1')
})

test('columns are selected by search, Select all and ticks', async ({ page }) => {
  await page.setViewportSize(ALL_DRAWN)
  await open(page)
  const all = (await cellsOf(page))[0]?.slice(2) ?? []
  await page.getByRole('button', { name: 'Columns' }).click()
  const chooser = page.getByRole('dialog', { name: 'Columns' })
  await chooser.getByRole('button', { name: 'Clear all' }).click()
  await expect(chooser.getByText('Please select at least one')).toBeVisible()
  await expect(chooser.getByRole('button', { name: 'Show 0 columns' })).toBeDisabled()
  await chooser.getByLabel('Search drug types').fill('anti')
  const matching = all.filter((field) => /anti/i.test(field))
  await chooser.getByRole('button', { name: `Select all ${matching.length} that match` }).click()
  await chooser.getByRole('button', { name: `Show ${matching.length} columns` }).click()
  await expect(page.getByText(`${matching.length} of ${all.length} drug types shown`)).toBeVisible()
  expect((await cellsOf(page))[0]).toEqual(['Pharmacy', 'All drug types', ...matching])
})

test('the order of the columns and their spacing are kept for the person', async ({ page }) => {
  await page.setViewportSize(ALL_DRAWN)
  await open(page)
  const [first, second, third, ...rest] = (await cellsOf(page))[0]?.slice(2) ?? []
  await page.getByRole('button', { name: 'Columns' }).click()
  const chooser = page.getByRole('dialog', { name: 'Columns' })
  await chooser.getByRole('button', { name: `Move ${third} up` }).click()
  await chooser.getByRole('button', { name: `Move ${third} up` }).press('Enter')
  await chooser.getByRole('button', { name: /^Show \d+ columns/ }).click()
  const mine = ['Pharmacy', 'All drug types', third, first, second, ...rest]
  expect((await cellsOf(page))[0]).toEqual(mine)
  await page.getByRole('button', { name: 'Compact' }).click()
  const row = grid(page).locator('[aria-rowindex="5"]')
  expect((await row.boundingBox())?.height).toBe(34)
  await page.getByRole('button', { name: 'Hide panel' }).click()
  await expect(page.getByRole('complementary')).toHaveCount(0)

  await page.reload()
  await settled(page)
  expect((await cellsOf(page))[0]).toEqual(mine)
  expect((await row.boundingBox())?.height).toBe(34)
  await page.getByRole('button', { name: 'Show panel' }).click()
  await page.getByRole('button', { name: 'Columns' }).click()
  await chooser.getByRole('button', { name: 'Reset' }).click()
  expect((await cellsOf(page))[0]).toEqual(['Pharmacy', 'All drug types', first, second, third, ...rest])
})

test('a phone scrolls the page: every row and the dates of the period are visible', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await open(page)
  await settled(page)
  const rows = Number(await grid(page).getAttribute('aria-rowcount'))
  await expect(page.getByText(`All ${rows - 4}`)).toBeAttached()
  await grid(page).press('Control+End')
  await expect(grid(page).locator(`[aria-rowindex="${rows}"]`)).toBeInViewport()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await page.getByRole('button', { name: 'Back one financial year' }).click()
  const dates = page.getByRole('button', { name: /^Financial year/ }).locator('span')
  await expect(dates).toHaveText(/^1 Jul 20\d\d – 30 Jun 20\d\d$/)
  expect(await dates.evaluate((span) => span.scrollWidth - span.clientWidth), 'the dates are cut off').toBe(0)
})
