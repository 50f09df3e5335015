import { readFile } from 'node:fs/promises'
import type { ReplyOf } from '@pillar/contract'
import type { financials } from '@pillar/contract/financials'
import { formatMoney, formatPercent } from '@pillar/domain/time/locale'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { expectAccessibleInBoth, OPENED } from '../support/axe.ts'
import { settled } from '../support/grid.ts'
import { type Ask, open, RUNNING } from '../support/people.ts'

type Info = ReplyOf<typeof financials.initInfo>
type Table = ReplyOf<typeof financials.table>
type Trend = ReplyOf<typeof financials.trend>

const charts = (page: Page) => page.getByRole('region', { name: 'Charts' })
/** A picture by the question in its caption. */
const picture = (page: Page, question: string) =>
  page
    .locator('section')
    .filter({ has: page.getByRole('heading', { level: 2 }) })
    .filter({ hasText: question })
    .last()
const BARS = 'Who leads, who lags?'
const DOTS = 'Where does each pharmacy stand?'
const HEAT = 'Which part of which pharmacy?'
const MAP = 'Where on the map?'

const SHOW_TABLE = /^Show “.*” as table$/

/** The table in a picture's place, rows of cells, without its head. */
async function tableOf(one: Locator): Promise<string[][]> {
  const button = one.getByRole('button', { name: SHOW_TABLE })
  if ((await button.getAttribute('aria-pressed')) === 'false') await button.click()
  return one
    .getByRole('table')
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent?.trim() ?? '')),
    )
}

async function answers(ask: Ask): Promise<{ ids: string[]; table: Table }> {
  const { pharmacies } = await ask<Info>('enterprise-init-info', RUNNING)
  const ids = pharmacies.map(({ pharmacy_id }) => pharmacy_id)
  return {
    ids,
    table: await ask<Table>('enterprise-pharmacy-table', { category: 'Drug Type', pharmacies: ids, ...RUNNING }),
  }
}

test('charts are fetched when they are asked for, without another call, and the address keeps them', async ({
  page,
}) => {
  const fetched: string[] = []
  page.on('request', (request) => fetched.push(new URL(request.url()).pathname))
  await open(page)
  await settled(page)
  const isChart = (path: string) => /\/(Charts|Trend|chart-js)-/.test(path)
  expect(fetched.filter(isChart)).toEqual([])
  const before = fetched.filter((path) => path.startsWith('/api/')).length
  await page.getByRole('radio', { name: 'Chart' }).click()
  await expect(picture(page, BARS)).toBeVisible()
  await expect(page).toHaveURL('/financials?view=chart')
  expect(fetched.filter(isChart).length).toBeGreaterThan(0)
  expect(fetched.filter((path) => path.startsWith('/api/'))).toHaveLength(before)
  await page.reload()
  await expect(picture(page, BARS)).toBeVisible()
  await page.getByRole('radio', { name: 'Table' }).click()
  await settled(page)
})

test('the tables of the charts are the server’s numbers, in the order of the table', async ({ page }) => {
  const ask = await open(page, '/financials?view=chart')
  const { table } = await answers(ask)
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

test('charts follow statistic, column and order, and the marked pharmacy is said', async ({ page }) => {
  const ask = await open(page, '/financials?view=chart')
  const { table } = await answers(ask)
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
    expect(rows.find(([name]) => name === pharmacy_name)?.slice(1)).toEqual([
      '–',
      expect.stringContaining('too few to tell'),
    ])
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

test('arrow keys read the points, and a press on a bar marks its pharmacy', async ({ page }) => {
  const ask = await open(page, '/financials?view=chart')
  const { table } = await answers(ask)
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
  await page.mouse.click((drawing?.x ?? 0) + 40, (drawing?.y ?? 0) + 34)
  await expect(page).toHaveURL(new RegExp(`mark=.*${top?.pharmacy_id.slice(-12)}`))
})

test('a picture is kept as PNG, its figures as CSV', async ({ page }) => {
  const ask = await open(page, '/financials?view=chart')
  const { table } = await answers(ask)
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

test('a headline figure opens its trend: 24 months, the table as the server has them, the formula a tab away', async ({
  page,
}) => {
  const ask = await open(page)
  const { ids } = await answers(ask)
  const trend = await ask<Trend>('enterprise-figure-trend', { figure: 'revenue', pharmacy_ids: ids, ...RUNNING })
  await settled(page)
  const first = page.locator('section').filter({ has: page.getByRole('button', { name: /how it is calculated$/ }) })
  await expect(first.first()).toHaveAccessibleName('Revenue')
  await page.getByRole('button', { name: /Revenue: show the trend$/ }).press('Enter')
  const drawer = page.getByRole('dialog')
  await expect(drawer.getByRole('tab', { name: 'Trend' })).toHaveAttribute('aria-selected', 'true')
  const rows = await tableOf(picture(page, 'How are we doing, and since when?'))
  const money = (value: number | null) => formatMoney('AU', value)
  expect(rows.map((row) => row.slice(1))).toEqual(
    trend.months.map(({ per_business_day, previous_per_business_day, value, previous }) =>
      [per_business_day, previous_per_business_day, value, previous].map(money),
    ),
  )
  expect(trend.months.at(-1)?.running).toBe(true)
  await expect(drawer.getByText(/^Dashed: /)).toHaveCount(0)
  await drawer.getByRole('button', { name: SHOW_TABLE }).first().click()
  await expect(drawer.getByText(/^Dashed: /)).toBeVisible()
  await drawer.getByRole('tab', { name: 'Trend' }).press('ArrowRight')
  await expect(drawer.getByText('Formula')).toBeVisible()
  await expect(drawer.getByText('The parts add up to the number.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: /Revenue: show the trend$/ })).toBeFocused()
})

test('below the trend of revenue stands what moved it; of adherence, how long patients stay', async ({ page }) => {
  const ask = await open(page)
  const { ids } = await answers(ask)
  const parts = await ask<ReplyOf<typeof financials.changeParts>>('enterprise-change-parts', {
    pharmacy_ids: ids,
    ...RUNNING,
  })
  await settled(page)
  await page.getByRole('button', { name: /Revenue: show the trend$/ }).click()
  const rows = await tableOf(picture(page, 'What moved it?'))
  expect(rows.map(([label]) => label)).toEqual(['Year before', 'Volume', 'Price', 'Mix', 'This period'])
  expect(rows.at(-1)?.[1]).toBe(formatMoney('AU', parts.now))
  expect(rows[1]?.[1]?.replace('+', '')).toBe(formatMoney('AU', parts.parts?.volume ?? null))
  await page.keyboard.press('Escape')
  const curve = (
    await ask<ReplyOf<typeof financials.persistence>>('enterprise-persistence', { pharmacy_ids: ids, ...RUNNING })
  ).curves[0]
  await page.getByRole('button', { name: /Patients measured for adherence: show the trend$/ }).click()
  const steps = await tableOf(picture(page, 'How long do patients stay?'))
  const last = curve?.points.at(-1)
  expect(last).toBeDefined()
  expect(steps.find(([day]) => day === String(last?.day))?.[1]).toBe(formatPercent('AU', last?.share ?? null))
})

test('one click leads to the running month, quarter and year, and Today back to them', async ({ page }) => {
  await open(page)
  const presets = page.getByRole('group', { name: 'Running period' })
  await expect(presets.getByRole('button', { name: 'Year' })).toHaveAttribute('aria-pressed', 'true')
  await expect(presets.getByRole('button', { name: 'Today' })).toBeDisabled()
  await presets.getByRole('button', { name: 'Month' }).click()
  await expect(page).toHaveURL(/period=\d{4}-\d\d/)
  const running = page.url()
  await page.getByRole('button', { name: 'Back one month' }).click()
  await expect(page).not.toHaveURL(running)
  await presets.getByRole('button', { name: 'Today' }).click()
  await expect(page).toHaveURL(running)
  await presets.getByRole('button', { name: 'Quarter' }).click()
  await expect(page).toHaveURL(/period=\d{4}Q[1-4]/)
  await presets.getByRole('button', { name: 'Year' }).click()
  await expect(page).toHaveURL('/financials')
})

test('a share’s distance from the average is in points, their unit in the head', async ({ page }) => {
  await open(page, '/financials?statistic=adherence')
  await settled(page)
  const grid = page.getByRole('grid')
  await expect(grid.getByRole('columnheader').first()).toContainText('points to average below')
  const total = grid
    .getByRole('row', { name: /^Total/ })
    .getByRole('gridcell')
    .first()
  await expect(total).toContainText(/^\d+\.\d\d%([+−]\d+\.\d|0\.0)$/)
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

test('charts at 320 px run off nowhere, and print light with every pharmacy', { tag: '@deep' }, async ({ page }) => {
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
  const sheet = await charts(page).evaluate((element) => getComputedStyle(element.closest('main')!).backgroundColor)
  expect((sheet.match(/\d+/g) ?? []).slice(0, 3).reduce((sum, part) => sum + Number(part), 0)).toBeGreaterThan(700)
})
