import type { ReplyOf } from '@pillar/contract'
import type { financials } from '@pillar/contract/financials'
import { formatMoneyCompact, formatNumber } from '@pillar/domain/time/locale'
import { expect, type Page, test } from '@playwright/test'
import { dialog } from '../support/dialog.ts'
import { offered } from '../support/files.ts'
import { ALL_DRAWN, cellsOf, grid, numberIn, settled } from '../support/grid.ts'
import { open, RUNNING } from '../support/people.ts'

type Info = ReplyOf<typeof financials.initInfo>
type Stats = ReplyOf<typeof financials.stats>

const count = (page: Page) => page.getByText(/^\d+ of \d+ pharmac(y|ies)$/)
const period = (page: Page) => page.getByRole('button', { name: /^(Financial year|Quarter [1-4]|[A-Z][a-z]+ 20\d\d)/ })

/** The cells of one row by column head, without empty ones. */
function byHead([head = [], ...rows]: string[][], name: string | undefined): Record<string, string> {
  const row = rows.find(([first]) => first === name) ?? []
  const cells = head.map((field, index) => [field, row[index] ?? ''] as const)
  return Object.fromEntries(cells.filter(([, text]) => text !== '–' && text !== ''))
}

test('the seven figures match the server’s', { tag: '@main' }, async ({ page }) => {
  const ask = await open(page)
  const info = await ask<Info>('enterprise-init-info', RUNNING)
  const pharmacy_ids = info.pharmacies.map(({ pharmacy_id }) => pharmacy_id)
  const stats = await ask<Stats>('enterprise-pharmacy-stats', { pharmacy_ids, ...RUNNING })
  const { patients } = stats
  const cell = (name: string) => page.getByRole('region', { name, exact: true })
  const text = (value: number | null) => formatNumber('AU', value)
  await expect(cell('Scripts')).toContainText(text(stats.scripts.total))
  await expect(cell('Patients')).toContainText(text(patients.total))
  await expect(cell('Patients')).toContainText(`Female ${text(patients.sex.female.total)}`)
  await expect(cell('Patients')).toContainText(`Male ${text(patients.sex.male.total)}`)
  const measured = cell('Patients measured for adherence')
  await expect(measured).toContainText(`Adherent ${text(patients.adherence.total)}`)
  await expect(measured).toContainText(`Not adherent ${text(patients.non_adherence.total)}`)
  const cost = formatMoneyCompact('AU', stats.total_adherence_opportunity_cost.total)
  await expect(cell('Adherence opportunity')).toContainText(cost)
  expect(stats.scripts.total).toBeGreaterThan(1000)
  // The strip and the table are two calls, which must agree.
  await expect(grid(page).getByRole('row', { name: /^TOTAL/ })).toContainText(`${text(stats.scripts.total)} scripts`)
})

test('the period has arrows, dates and a dialog, and ends with the running one', async ({ page }) => {
  const ask = await open(page)
  const { today } = await ask<Info>('enterprise-init-info', RUNNING)
  const [year = 0, month = 0] = today.split('-').map(Number)
  const running = month >= 7 ? year : year - 1
  const named = (start: number) => `Financial year ${start}–${String(start + 1).slice(2)}`
  await expect(period(page)).toContainText(new RegExp(`${named(running)} 1 Jul .*20\\d\\d`))
  await expect(page.getByRole('button', { name: /^Forward one/ })).toHaveCount(0)

  await page.getByRole('button', { name: 'Back one financial year' }).click()
  await expect(page).toHaveURL(`/financials?period=${running - 1}`)
  await expect(period(page)).toHaveText(`${named(running - 1)} 1 Jul ${running - 1} – 30 Jun ${running}`)
  await page.getByRole('button', { name: 'Forward one financial year' }).click()
  await expect(page).toHaveURL('/financials')

  for (let back = 0; back < 4; back++) await page.getByRole('button', { name: 'Back one financial year' }).click()
  await expect(period(page)).toContainText(named(running - 4))
  await expect(page.getByRole('button', { name: /^Back one/ })).toHaveCount(0)

  await page.goto('/financials')
  await period(page).click()
  const choose = dialog(page, 'Period')
  // Until the data arrives the year ends today; then it ends with the data.
  await expect(async () => {
    const dates = (await period(page).textContent())?.replace(/^Financial year \S+ /, '') ?? 'none'
    await expect(choose.getByText(dates)).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await choose.getByRole('radio', { name: 'Quarter' }).click()
  await expect(choose.getByText('Please select a quarter')).toBeVisible()
  await expect(choose.getByRole('button', { name: 'Confirm' })).toBeDisabled()
  await choose.getByLabel('Year').selectOption(String(year - 1))
  await choose.getByRole('button', { name: /^Q2/ }).click()
  await choose.getByRole('button', { name: 'Confirm' }).click()
  await expect(choose).toHaveCount(0)
  await expect(period(page)).toContainText(`Quarter 2, ${year - 1} (Apr–Jun)`)
  await expect(period(page)).toBeFocused()
  await page.getByRole('button', { name: 'Forward one quarter' }).click()
  await expect(period(page)).toContainText(/^Quarter 3/)

  await period(page).click()
  await choose.getByRole('radio', { name: 'Month' }).click()
  await expect(choose.getByText('Please select a month')).toBeVisible()
  await choose.getByLabel('Year').selectOption(String(year - 1))
  await choose.getByRole('button', { name: 'Feb' }).click()
  await choose.getByRole('button', { name: 'Confirm' }).click()
  await expect(page).toHaveURL(`/financials?period=${year - 1}-02`)
  await expect(period(page)).toContainText(`February ${year - 1}`)
  await page.getByRole('button', { name: 'Back one month' }).click()
  await page.getByRole('button', { name: 'Back one month' }).click()
  await expect(page).toHaveURL(`/financials?period=${year - 2}-12`)
})

test('statistic and group change what the table shows', { tag: '@main' }, async ({ page }) => {
  await open(page)
  const total = grid(page)
    .getByRole('row', { name: /^TOTAL/ })
    .getByRole('gridcell')
    .first()
  await expect(total).toContainText(/^\$[\d,]+/)
  await page.getByRole('radio', { name: 'Revenue' }).press('ArrowRight')
  await expect(page).toHaveURL('/financials?statistic=scripts')
  await expect(page.getByRole('radio', { name: 'Number of Scripts' })).toBeFocused()
  await expect(total).toContainText(/^[\d,]+\$/)
  await page.getByRole('radio', { name: 'Adherence' }).click()
  await expect(total).toContainText(/^\d+\.\d\d%/)
  await page.getByRole('radio', { name: 'Loyalty' }).click()
  await expect(total).toContainText(/^\d+\.\d\d%/)
  await page.getByRole('button', { name: 'Group Drug Type' }).click()
  await page.getByRole('menuitem', { name: 'Sex' }).click()
  await expect(grid(page).getByRole('columnheader', { name: 'All sexes' })).toBeVisible()
  await expect(grid(page).getByRole('columnheader', { name: 'Female' })).toBeVisible()
  await expect(page).toHaveURL('/financials?statistic=loyalty&group=Sex')
})

test('state, postcode and pharmacies narrow the figures to their sum', async ({ page }) => {
  await page.setViewportSize(ALL_DRAWN)
  const ask = await open(page)
  const { pharmacies } = await ask<Info>('enterprise-init-info', RUNNING)
  const inState = pharmacies.filter(({ state }) => state === 'NSW')
  expect(inState.length).toBeGreaterThan(2)
  const before = await cellsOf(page)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const filter = dialog(page, 'Filter Category')
  await filter.getByRole('checkbox', { name: 'NSW' }).check()
  await expect(filter.getByText(`${inState.length} of ${inState.length} selected`)).toBeVisible()
  await filter.getByRole('option', { name: inState[0]?.pharmacy_name }).click()
  await expect(count(page)).toHaveText(`${pharmacies.length} of ${pharmacies.length} pharmacies`)
  await filter.getByRole('button', { name: `Show ${inState.length - 1} pharmacies` }).click()
  await expect(count(page)).toHaveText(`${inState.length - 1} of ${pharmacies.length} pharmacies`)
  await expect(page).toHaveURL(/state=NSW&without=(%22)?\w{12}(%22)?$/)

  const after = await cellsOf(page)
  const [, total = [], , , ...rows] = after
  const expected = inState.slice(1).map(({ pharmacy_name }) => pharmacy_name)
  expect(rows.map(([name]) => name).sort()).toEqual(expected.sort())
  // Columns are ordered by their totals, so cells are compared by head.
  for (const row of rows) expect(byHead(after, row[0])).toEqual(byHead(before, row[0]))
  const sum = rows.reduce((all, [, revenue = '']) => all + (numberIn(revenue) || 0), 0)
  // Each row is rounded to whole dollars.
  expect(Math.abs(sum - numberIn(total[1] ?? ''))).toBeLessThanOrEqual(rows.length)

  await page.getByRole('button', { name: 'Remove filter Pharmacies' }).click()
  await expect(count(page)).toHaveText(`${inState.length} of ${pharmacies.length} pharmacies`)
  await page.getByRole('button', { name: 'Remove filter State' }).click()
  await expect(page).toHaveURL('/financials')

  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await filter.getByLabel('Postcode').fill(`ab${inState[0]?.postcode}`)
  await expect(filter.getByLabel('Postcode')).toHaveValue(String(inState[0]?.postcode))
  await filter.getByRole('button', { name: 'Show 1 pharmacy' }).click()
  await expect(count(page)).toHaveText(`1 of ${pharmacies.length} pharmacies`)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await filter.getByLabel('Postcode').fill('9999999')
  await expect(filter.getByText('No pharmacy matches')).toBeVisible()
  await expect(filter.getByRole('button', { name: 'Show 0 pharmacies' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(filter).toHaveCount(0)
  await page.getByRole('button', { name: 'Reset' }).click()
  await expect(page).toHaveURL('/financials')
})

test('the address holds the whole screen', async ({ page, context }) => {
  await open(page)
  await page.getByRole('button', { name: 'Back one financial year' }).click()
  await page.getByRole('radio', { name: 'Loyalty' }).click()
  await page.getByRole('button', { name: 'Group Drug Type' }).click()
  await page.getByRole('menuitem', { name: 'Age Group' }).click()
  await settled(page)
  await page.getByRole('tab', { name: 'Worst' }).click()
  await grid(page).getByRole('columnheader').nth(2).click()
  await grid(page).getByRole('columnheader').nth(2).click()
  await expect(grid(page).getByRole('columnheader').nth(2)).toHaveAttribute('aria-sort', 'ascending')
  await page.getByRole('button', { name: 'Columns' }).click()
  const columns = dialog(page, 'Columns')
  await columns.getByRole('checkbox').nth(1).uncheck()
  await columns.getByRole('button', { name: /^Show \d+ columns/ }).click()
  await expect(page).toHaveURL(/columns=/)
  const shown = await cellsOf(page)

  const other = await context.newPage()
  await other.goto(page.url())
  expect(await cellsOf(other)).toEqual(shown)
  await expect(period(other)).toHaveText((await period(page).textContent()) ?? '')
  await expect(other.getByRole('tab', { name: 'Worst' })).toHaveAttribute('aria-selected', 'true')

  await page.goBack()
  await expect(page).not.toHaveURL(/columns=/)
  await expect(page).toHaveURL(/order=asc/)
  await page.getByRole('button', { name: 'Reset' }).click()
  await expect(page).toHaveURL('/financials')
  await expect(page.getByRole('radio', { name: 'Revenue' })).toBeChecked()
})

test('late pharmacies are named and can be left out', async ({ page }) => {
  const ask = await open(page)
  const { pharmacies } = await ask<Info>('enterprise-init-info', RUNNING)
  const late = pharmacies.filter((pharmacy) => pharmacy.late)
  expect(late.length).toBeGreaterThan(1)
  const title = `${late.length} of ${pharmacies.length} pharmacies are late`
  await page.getByRole('button', { name: title }).click()
  const panel = dialog(page, title)
  for (const { pharmacy_name } of late) await expect(panel.getByText(pharmacy_name)).toBeVisible()
  // A completed last upload explains nothing.
  await expect(panel.getByText(/Completed/)).toHaveCount(0)
  await panel.getByRole('button', { name: 'Leave them out' }).click()
  await expect(count(page)).toHaveText(`${pharmacies.length - late.length} of ${pharmacies.length} pharmacies`)
  await expect(page.getByText(/pharmacies are late|pharmacy is late/)).toHaveCount(0)
})

test('a failed table says so, and Try again loads it', async ({ page }) => {
  const failure = { status: 500, json: { code: 'failed', message: 'Something went wrong on the server.' } }
  await page.route('**/api/enterprise-pharmacy-table', (route) => route.fulfill(failure))
  await open(page)
  await expect(page.getByText('Could not load the table')).toBeVisible()
  // A failure never looks like an empty result.
  await expect(page.getByText('No data available')).toHaveCount(0)
  await expect(page.getByRole('alert')).toContainText('Something went wrong on the server.')
  await expect(page.getByRole('region', { name: 'Scripts', exact: true })).toBeVisible()
  await expect(await offered(page, 'Export CSV')).toBeDisabled()
  await page.keyboard.press('Escape')
  await page.unroute('**/api/enterprise-pharmacy-table')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(grid(page)).toBeVisible()
  await expect(page.getByText('Could not load the table')).toHaveCount(0)
})

test('dates whose pharmacies could not be loaded stay selected, and others can be selected', async ({ page }) => {
  await open(page)
  await settled(page)
  const failure = { status: 503, json: { code: 'unavailable', message: 'Busy.' } }
  await page.route('**/api/enterprise-init-info', (route) => route.fulfill(failure))
  const back = page.getByRole('button', { name: 'Back one financial year' })
  await back.click()
  await expect(page.getByText('Could not load the pharmacies')).toBeVisible()
  await page.unroute('**/api/enterprise-init-info')
  await page.getByRole('button', { name: 'Forward one financial year' }).click()
  await expect(grid(page)).toBeVisible()
})

test('figures of other dates are never shown under the new ones', async ({ page }) => {
  await open(page)
  await settled(page)
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  for (const call of ['enterprise-pharmacy-table', 'enterprise-pharmacy-stats']) {
    await page.route(`**/api/${call}`, async (route) => {
      await held
      await route.continue()
    })
  }
  await page.getByRole('button', { name: 'Back one financial year' }).click()
  await expect(grid(page)).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Scripts', exact: true })).toHaveCount(0)
  release()
  await expect(grid(page)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Scripts', exact: true })).toBeVisible()
})

test('a slow table says that it is loading', async ({ page }) => {
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  await page.route('**/api/enterprise-pharmacy-table', async (route) => {
    await held
    await route.continue()
  })
  await open(page)
  await expect(page.getByText('Loading records, please wait...')).toBeVisible()
  await expect(grid(page)).toHaveCount(0)
  release()
  await expect(grid(page)).toBeVisible()
  await expect(page.getByText('Loading records, please wait...')).toHaveCount(0)
})
