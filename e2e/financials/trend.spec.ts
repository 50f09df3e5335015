import type { ReplyOf } from '@pillar/contract'
import type { financials } from '@pillar/contract/financials'
import { formatMoney, formatPercent } from '@pillar/domain/time/locale'
import { expect, test } from '@playwright/test'
import { settled } from '../support/grid.ts'
import { open, RUNNING } from '../support/people.ts'
import { picture, SHOW_TABLE, tableAnswer, tableOf } from '../support/picture.ts'

type Trend = ReplyOf<typeof financials.trend>

test('a headline figure opens its trend: 24 months, the server’s table, with the formula a tab away', {
  tag: '@main',
}, async ({ page }) => {
  const ask = await open(page)
  const { ids } = await tableAnswer(ask)
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
    trend.months.map(({ per_business_day, year_before, value, previous }) =>
      [per_business_day, year_before, value, previous].map(money),
    ),
  )
  await expect(drawer.getByText(/^Dashed: /)).toHaveCount(0)
  await drawer.getByRole('button', { name: SHOW_TABLE }).first().click()
  // On the first of a month the data end with the month before, so that no month is running.
  const running = trend.months.at(-1)?.running
  await expect(drawer.getByText(/^Dashed: /)).toHaveCount(running ? 1 : 0)
  await drawer.getByRole('tab', { name: 'Trend' }).press('ArrowRight')
  await expect(drawer.getByText('Formula')).toBeVisible()
  await expect(drawer.getByText('The parts add up to the number.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: /Revenue: show the trend$/ })).toBeFocused()
})

test('below the trend of revenue are its causes; below that of adherence, how long patients stay', async ({ page }) => {
  const ask = await open(page)
  const { ids } = await tableAnswer(ask)
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

test('one click leads to the running month, quarter and year, and Today leads back to them', async ({ page }) => {
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

test('a share’s distance from the average is in points, with their unit in the head', async ({ page }) => {
  await open(page, '/financials?statistic=adherence')
  await settled(page)
  const grid = page.getByRole('grid')
  const head = grid.getByRole('columnheader').first()
  await expect(head).toContainText('Below: points to average, ↑↓ on last year')
  const total = grid
    .getByRole('row', { name: /^TOTAL/ })
    .getByRole('gridcell')
    .first()
  await expect(total).toContainText(/^\d+\.\d\d%([+−]\d+\.\d|0\.0)[↑↓=] \d+\.\d Between /)
  await expect(total).toContainText(/points \(\d+\.\d\d%\) (above|below) the average\./)
  await expect(total).toContainText(/points (above|below) last year\. The change is over the \d+ pharmac/)
})
