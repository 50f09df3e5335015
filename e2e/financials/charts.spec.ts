import { readFile } from 'node:fs/promises'
import { formatChange, formatMoney, formatPercent } from '@pillar/domain/time/locale'
import { expect, type Page, test } from '@playwright/test'
import { expectAccessibleInBoth, OPENED } from '../support/axe.ts'
import { settled } from '../support/grid.ts'
import { open } from '../support/people.ts'
import { picture, tableAnswer, tableOf } from '../support/picture.ts'

const charts = (page: Page) => page.getByRole('region', { name: 'Charts' })
const BARS = 'Who leads, who lags?'
const DOTS = 'Where does each pharmacy stand?'
const HEAT = 'Which part of which pharmacy?'
const MAP = 'Where on the map?'

test('charts are downloaded on request, with no calls except for targets, and the address keeps them', async ({
  page,
}) => {
  const fetched: string[] = []
  page.on('request', (request) => fetched.push(new URL(request.url()).pathname))
  await open(page)
  await settled(page)
  const isChart = (path: string) => /\/(Charts|Trend|chart-js)-/.test(path)
  expect(fetched.filter(isChart)).toEqual([])
  const calls = () => fetched.filter((path) => path.startsWith('/api/') && path !== '/api/target/list')
  const before = calls().length
  await page.getByRole('radio', { name: 'Chart' }).click()
  await expect(picture(page, BARS)).toBeVisible()
  await expect(page).toHaveURL('/financials?view=chart')
  expect(fetched.filter(isChart).length).toBeGreaterThan(0)
  expect(calls()).toHaveLength(before)
  await page.reload()
  await expect(picture(page, BARS)).toBeVisible()
  await page.getByRole('radio', { name: 'Table' }).click()
  await settled(page)
})

test('the bars can start with the largest fall from last year, and the table keeps its own order', async ({ page }) => {
  const ask = await open(page, '/financials?view=chart')
  const { table } = await tableAnswer(ask)
  const compared = table.pharmacies.filter(({ changes }) => changes.TOTAL?.revenue_value != null)
  const rate = (row: (typeof compared)[number]) => row.changes.TOTAL?.revenue_value ?? 0
  const expected = compared.toSorted((a, b) => rate(a) - rate(b)).map(({ pharmacy_name }) => pharmacy_name)
  await page.getByRole('radio', { name: 'Largest fall first' }).click()
  await expect(page).toHaveURL('/financials?view=chart&by=change')
  await expect(picture(page, BARS).getByText(/below last year/)).toBeVisible()
  const bars = await tableOf(picture(page, BARS))
  expect(bars.slice(0, expected.length).map(([name]) => name)).toEqual(expected)
  await page.getByRole('radio', { name: 'Highest first' }).click()
  await expect(page).toHaveURL('/financials?view=chart')
})

test('the charts’ tables show the server’s numbers, in the order of the table', { tag: '@main' }, async ({ page }) => {
  const ask = await open(page, '/financials?view=chart')
  const { table } = await tableAnswer(ask)
  const sorted = table.pharmacies
    .filter(({ cells }) => cells.TOTAL?.revenue_value != null)
    .toSorted((a, b) => (b.cells.TOTAL?.revenue_value ?? 0) - (a.cells.TOTAL?.revenue_value ?? 0))
  const expected = sorted.map(({ pharmacy_name, cells }) => [
    pharmacy_name,
    formatMoney('AU', cells.TOTAL?.revenue_value ?? null),
  ])
  const bars = await tableOf(picture(page, BARS))
  expect(bars.slice(0, sorted.length).map((row) => row.slice(0, 2))).toEqual(expected)
  expect(bars).toHaveLength(table.pharmacies.length)
  // Each change, and the earlier value: the tick and the figure at the end of its bar.
  const changes = sorted.map(({ changes: { TOTAL }, cells }) => {
    const rate = TOTAL?.revenue_value ?? null
    const before = rate === null ? null : (cells.TOTAL?.revenue_value ?? 0) / (1 + rate)
    return [formatMoney('AU', before), formatChange('AU', rate)]
  })
  expect(changes.filter(([, rate]) => rate !== '–').length).toBeGreaterThan(2)
  expect(bars.slice(0, sorted.length).map((row) => row.slice(2, 4))).toEqual(changes)

  const dots = await tableOf(picture(page, DOTS))
  expect(dots.slice(0, sorted.length).map((row) => row.slice(0, 2))).toEqual(expected)
  expect(dots[sorted.length]).toEqual([
    'Average',
    formatMoney('AU', table.selected_average.TOTAL?.revenue_value ?? null),
  ])

  const heat = await tableOf(picture(page, HEAT))
  const fields = table.columns.slice(1, 8).map(({ field }) => field)
  expect(heat.map(([name]) => name)).toEqual(expected.map(([name]) => name))
  for (const [index, { cells }] of sorted.entries()) {
    const figures = fields.map((field) => formatMoney('AU', cells[field]?.revenue_value ?? null))
    expect(heat[index]?.slice(1, 8)).toEqual(figures)
    expect(heat[index]?.at(-1)).toBe(expected[index]?.[1])
  }

  const states = await tableOf(picture(page, MAP))
  const codes = [...new Set(table.pharmacies.map(({ state }) => state))].filter((state) => state !== null)
  expect(states.map(([code]) => code)).toEqual(codes.sort())
  const inNsw = sorted.filter(({ state }) => state === 'NSW')
  const sum = inNsw.reduce((all, { cells }) => all + Math.round((cells.TOTAL?.revenue_value ?? 0) * 100), 0) / 100
  const nsw = states.find(([code]) => code === 'NSW')?.[1] ?? ''
  expect(nsw).not.toBe('')
  const shown = Number(nsw.replace(/[$km]/g, '')) * (nsw.endsWith('k') ? 1000 : nsw.endsWith('m') ? 1e6 : 1)
  expect(Math.abs(shown - sum) / sum).toBeLessThan(0.005)
})

test('charts follow statistic, column and order, and name the highlighted pharmacy', async ({ page }) => {
  const ask = await open(page, '/financials?view=chart')
  const { table } = await tableAnswer(ask)
  await page.getByRole('radio', { name: 'Adherence' }).click()
  const known = table.pharmacies.filter(({ cells }) => cells.TOTAL?.adherent_script_percent != null)
  const bars = picture(page, BARS)
  const highest = known.toSorted(
    (a, b) => (b.cells.TOTAL?.adherent_script_percent ?? 0) - (a.cells.TOTAL?.adherent_script_percent ?? 0),
  )[0]
  const first = async () => (await tableOf(bars))[0]
  expect((await first())?.slice(0, 2)).toEqual([
    highest?.pharmacy_name,
    formatPercent('AU', highest?.cells.TOTAL?.adherent_script_percent ?? null),
  ])
  await page.getByRole('radio', { name: 'By name' }).click()
  await expect(page).toHaveURL(/sort=pharmacy/)
  expect((await first())?.[0]).toBe(table.pharmacies.map(({ pharmacy_name }) => pharmacy_name).sort()[0])

  const field = table.columns[1]?.field ?? ''
  await charts(page).getByRole('combobox', { name: 'Drug Type' }).click()
  await page.getByRole('option', { name: field, exact: true }).click()
  await expect(picture(page, DOTS)).toContainText(field)

  const few = table.pharmacies.filter(({ cells }) => {
    const n = cells[field]?.adherence_n ?? 0
    return n > 0 && n < 10
  })
  const rows = await tableOf(bars)
  for (const { pharmacy_name } of few) {
    const row = rows.find(([name]) => name === pharmacy_name) ?? []
    expect([row[1], row.at(-1)]).toEqual(['–', expect.stringContaining('too few to tell')])
  }

  await page.getByRole('button', { name: 'Reset' }).click()
  await expect(page).toHaveURL('/financials?view=chart')
  const name = highest?.pharmacy_name ?? ''
  await charts(page).getByRole('combobox', { name: 'Highlight a pharmacy' }).click()
  await page.getByRole('option', { name, exact: true }).click()
  await expect(picture(page, DOTS).getByRole('heading')).toHaveText(
    new RegExp(`^${name} is \\d+(st|nd|rd|th) of \\d+: \\$[\\d,]+, `),
  )
})

test('arrow keys read the points; a press on a bar highlights its pharmacy, and a link leads to its page', async ({
  page,
}) => {
  const ask = await open(page, '/financials?view=chart')
  const { table } = await tableAnswer(ask)
  const top = table.pharmacies.toSorted(
    (a, b) => (b.cells.TOTAL?.revenue_value ?? 0) - (a.cells.TOTAL?.revenue_value ?? 0),
  )[0]
  const bars = picture(page, BARS)
  await bars.getByRole('group').focus()
  await page.keyboard.press('ArrowDown')
  await expect(bars.locator('[aria-live]')).toHaveText(
    new RegExp(`^${top?.pharmacy_name}: \\${formatMoney('AU', top?.cells.TOTAL?.revenue_value ?? null)}`),
  )
  const heat = picture(page, HEAT)
  await heat.getByRole('group').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  await expect(heat.locator('[aria-live]')).not.toContainText(`${top?.pharmacy_name},`)
  await expect(heat.locator('[aria-live]')).toContainText(`, ${table.columns[1]?.field}: `)

  const drawing = await bars.locator('svg[role=img]').boundingBox()
  const address = page.url()
  await page.mouse.click((drawing?.x ?? 0) + 40, (drawing?.y ?? 0) + 34, { button: 'right' })
  expect(page.url()).toBe(address)
  await page.mouse.click((drawing?.x ?? 0) + 40, (drawing?.y ?? 0) + 34)
  await expect(page).toHaveURL(new RegExp(`mark=.*${top?.pharmacy_id.slice(-12)}`))
  await page.getByRole('link', { name: `Open ${top?.pharmacy_name}`, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(top!.pharmacy_name)
  await page.goBack()
  await expect(page).toHaveURL(new RegExp(`mark=.*${top?.pharmacy_id.slice(-12)}`))
})

test('a chart is saved as PNG, and its figures as CSV', async ({ page }) => {
  const ask = await open(page, '/financials?view=chart')
  const { table } = await tableAnswer(ask)
  const bars = picture(page, BARS)
  const kept = async (item: string) => {
    await bars.getByRole('button', { name: /^Download/ }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: item }).click(),
    ])
    return readFile(await file.path())
  }
  const csv = (await kept('Figures (CSV)')).toString()
  expect(csv.replace('\uFEFF', '').split('\r\n')[0]).toMatch(/^Pharmacy,Revenue/)
  for (const { pharmacy_name, cells } of table.pharmacies) {
    expect(csv).toContain(`${pharmacy_name},${cells.TOTAL?.revenue_value ?? ''}`)
  }
  const png = await kept('Picture (PNG)')
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  expect(png.length).toBeGreaterThan(10_000)
})

for (const [view, width] of [
  ['chart', 1440],
  ['chart', 390],
] as const) {
  test(`charts and trend in both themes, ${width} px wide`, async ({ page }) => {
    test.setTimeout(120_000)
    await page.setViewportSize({ width, height: 900 })
    await open(page, `/financials?view=${view}&statistic=adherence`)
    await expect(picture(page, BARS)).toBeVisible()
    await picture(page, MAP)
      .getByRole('button', { name: /^NSW: / })
      .click()
    await expectAccessibleInBoth(page, 'charts')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    await page.getByRole('button', { name: /Revenue: show the trend$/ }).click()
    await expect(picture(page, 'What moved it?')).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCSS('opacity', '1')
    await expectAccessibleInBoth(page, 'trend', OPENED)
  })
}

test('charts at 320 px extend nowhere, and print light with every pharmacy', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await open(page, '/financials?view=chart')
  await expect(picture(page, BARS)).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  for (const drawing of await page.locator('svg[role=img]').all()) {
    const box = await drawing.boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(320)
  }
  await page.setViewportSize({ width: 1047, height: 718 })
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.getByRole('radio', { name: 'Chart' })).toBeHidden()
  await expect(picture(page, BARS).locator('svg[role=img]')).toBeVisible()
  // Its background: the first one behind it that is not transparent.
  const sheet = await charts(page).evaluate((element) => {
    for (let one: Element | null = element; one; one = one.parentElement) {
      const ground = getComputedStyle(one).backgroundColor
      if (ground !== 'rgba(0, 0, 0, 0)') return ground
    }
    return 'none'
  })
  expect((sheet.match(/\d+/g) ?? []).slice(0, 3).reduce((sum, part) => sum + Number(part), 0)).toBeGreaterThan(700)
})
