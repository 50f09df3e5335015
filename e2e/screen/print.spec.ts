import { expect, type Page, test } from '@playwright/test'
import { grid, settled } from '../support/grid.ts'
import { open } from '../support/people.ts'

/** A landscape A4 sheet without its margins, at 96 dots per inch. */
const SHEET = { width: 1047, height: 718 }

/** The number of sheets the page takes; Chromium writes one object of this type for each. */
async function sheets(page: Page): Promise<number> {
  const file = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  return [...file.matchAll(/\/Type\s*\/Page\b(?!s)/g)].length
}

/**
 * Elements wider than the sheet, cut off by a box that scrolls on screen, or dark. Checked until it is right, because a chart adjusts to the sheet
 * a frame later.
 */
const wrong = (page: Page) =>
  page.evaluate((width) => {
    const found: string[] = []
    const say = (element: Element, what: string) =>
      found.push(`${what}: <${element.tagName.toLowerCase()}> ${element.textContent?.trim().slice(0, 40)}`)
    for (const element of document.querySelectorAll<HTMLElement>('#root *, [role=dialog] *')) {
      const box = element.getBoundingClientRect()
      const style = getComputedStyle(element)
      if (box.width === 0 || box.height === 0 || style.visibility === 'hidden' || element.closest('.sr')) continue
      if (box.right > width + 1) say(element, 'beyond the sheet')
      const cuts = /auto|scroll/.test(style.overflowY) && element.scrollHeight > element.clientHeight + 1
      if (cuts) say(element, 'cut off')
      const [red = 255, green = 255, blue = 255, alpha = 1] = (style.backgroundColor.match(/[\d.]+/g) ?? []).map(Number)
      const covers = box.width > width / 2 && box.height > 40
      if (covers && alpha > 0 && red + green + blue < 600) say(element, 'dark')
    }
    return found.slice(0, 10)
  }, SHEET.width)

/** Heads whose words stand in a box of a button: on the sheets after the first one Chromium repeats a head without it. */
const boxedHeads = (page: Page) =>
  page
    .locator('thead button')
    .evaluateAll((all) =>
      all.filter((one) => getComputedStyle(one).display !== 'contents').map((one) => one.textContent),
    )

test('Financials and Campaigns on paper: all rows and columns, no rail, light', async ({ page }) => {
  test.setTimeout(120_000)
  await page.emulateMedia({ colorScheme: 'dark' })
  await open(page)
  await settled(page)
  const rows = Number(await grid(page).getAttribute('aria-rowcount'))
  const columns = Number(await grid(page).getAttribute('aria-colcount'))

  await page.setViewportSize(SHEET)
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeHidden()
  await expect(grid(page)).toBeHidden()
  const tables = page.getByRole('table', { name: /^Pharmacies by drug type, revenue, table/ })
  await expect(tables).toHaveCount(Math.ceil((columns - 1) / 7))
  for (const table of await tables.all()) await expect(table.getByRole('row')).toHaveCount(rows)
  await expect.poll(() => wrong(page)).toEqual([])
  expect(await sheets(page)).toBeGreaterThan(1)
  await page.emulateMedia({ media: 'screen', colorScheme: 'dark' })
  await expect(grid(page)).toBeVisible()
  await expect(tables).toHaveCount(0)

  await page.goto('/campaigns')
  await expect(page.getByRole('table', { name: 'Messages by pharmacy' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
  await expect.poll(() => wrong(page)).toEqual([])
  expect(await boxedHeads(page)).toEqual([])
  expect(await sheets(page)).toBeGreaterThan(1)

  // The open dialog is printed instead of the page below it.
  await page.emulateMedia({ media: 'screen', colorScheme: 'dark' })
  await page.goto('/campaigns?dialog=campaigns')
  await expect(page.getByRole('dialog', { name: 'Campaigns' }).getByRole('heading', { level: 3 })).toBeVisible()
  await page.waitForLoadState('networkidle')
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.locator('#root')).toBeHidden()
  await expect.poll(() => wrong(page)).toEqual([])
})

test('the heads of a heat map are complete on paper, even if the browser’s own font is large', async ({ page }) => {
  const wire = await page.context().newCDPSession(page)
  await wire.send('Page.setFontSizes', { fontSizes: { standard: 24, fixed: 24 } })
  await open(page, '/financials?view=chart')
  const heads = page.getByRole('region', { name: /: cells$/ }).locator('th span')
  await expect(heads.first()).toBeVisible()
  await page.setViewportSize(SHEET)
  await page.emulateMedia({ media: 'print' })
  await expect(heads.first()).toBeVisible()
  const cut = await heads.evaluateAll((all) =>
    all.flatMap((one) =>
      one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1 ? [one.textContent] : [],
    ),
  )
  expect(cut).toEqual([])
})

for (const [address, person] of [
  ['/s8management', 'controlled'],
  ['/referrals', 'trials'],
  ['/guildsixtydd', 'guild'],
  ['/settings?tab=4', 'support'],
] as const) {
  test(`${address} on paper has every column, at the browser's own type and at a large one`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'dark' })
    for (const standard of [16, 24]) {
      const wire = await page.context().newCDPSession(page)
      await wire.send('Page.setFontSizes', { fontSizes: { standard, fixed: standard } })
      await open(page, address, person)
      await expect(page.getByRole('row').nth(1)).toBeVisible()
      await page.setViewportSize(SHEET)
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
      await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
      await expect.poll(() => wrong(page)).toEqual([])
      expect(await boxedHeads(page)).toEqual([])
      // No picture is cut in two by the end of a sheet.
      for (const picture of await page.locator('section[aria-labelledby$="-title"]').all()) {
        await expect(picture).toHaveCSS('break-inside', 'avoid')
        for (const patch of await picture.locator('li > i').all()) {
          await expect(patch).toHaveCSS('print-color-adjust', 'exact')
        }
      }
      // Without its colour a switch is the same on paper whether it is on or off.
      for (const track of await page.locator('.mantine-Switch-track').all()) {
        await expect(track).toHaveCSS('print-color-adjust', 'exact')
      }
      // No column is squeezed until its words stand letter by letter.
      const rows = await page
        .getByRole('row')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))
      expect(Math.max(...rows)).toBeLessThan(110)
      await page.emulateMedia({ media: 'screen', colorScheme: 'dark' })
    }
  })
}

test('a chart on paper has paper colours, and on screen those of the screen again', async ({ page }) => {
  await page.setViewportSize(SHEET)
  await page.emulateMedia({ colorScheme: 'light' })
  await open(page, '/campaigns/0192d3b0-0002-7000-8000-000000000003')
  const chart = page.locator('canvas').first()
  await expect(chart).toBeVisible()
  const drawn = () => chart.evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL())
  await page.emulateMedia({ media: 'print', colorScheme: 'light' })
  await page.waitForTimeout(500)
  const paper = await drawn()
  await page.emulateMedia({ media: 'screen', colorScheme: 'dark' })
  await expect.poll(drawn).not.toBe(paper)
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect.poll(drawn).toBe(paper)
  await page.emulateMedia({ media: 'screen', colorScheme: 'dark' })
  await expect.poll(drawn).not.toBe(paper)
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})

test('a board on paper is complete, on one sheet: no picture is cut in two', async ({ page }) => {
  test.setTimeout(120_000)
  const board = page.frameLocator('iframe')
  await open(page, '/analytics', 'supplier')
  // Published during the night after the first start.
  await expect(async () => {
    await page.reload()
    await expect(board.getByRole('heading', { level: 2 }).nth(1)).toBeVisible({ timeout: 8_000 })
  }).toPass({ timeout: 60_000 })
  const foot = board.locator('main > :last-child')
  await expect.poll(() => foot.evaluate((one) => one.getBoundingClientRect().bottom)).toBeGreaterThan(SHEET.height)
  await page.setViewportSize({ width: SHEET.height, height: SHEET.width })
  await page.emulateMedia({ media: 'print' })
  await expect.poll(() => foot.evaluate((one) => innerHeight - one.getBoundingClientRect().bottom)).toBeGreaterThan(0)
  const { y, height } = (await page.locator('iframe').boundingBox())!
  expect(y + height).toBeLessThanOrEqual(SHEET.width)
  expect(await sheets(page)).toBe(1)
})

test('pictures are not enlarged to the width of the sheet, which would cut them in two; a list that continues says so', async ({
  page,
}) => {
  await open(page, '/financials?view=chart')
  await expect(page.getByRole('region', { name: /: cells$/ })).toBeVisible()
  await page.waitForLoadState('networkidle')
  // One sheet each for the strip, the heat map, the map and the ranking.
  expect(await sheets(page)).toBeLessThanOrEqual(4)
  await page.goto('/campaigns/0192d3b0-0002-7000-8000-000000000003')
  await expect(page.locator('canvas').first()).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(await sheets(page)).toBeLessThanOrEqual(3)
  const continues = page.getByText('This list continues.')
  await expect(continues).toBeHidden()
  await page.emulateMedia({ media: 'print' })
  await expect(continues).toBeVisible()
})
