import type { ReplyOf } from '@pillar/contract'
import type { financials } from '@pillar/contract/financials'
import { formatChange, formatMoney, formatNumber, formatPercent } from '@pillar/domain/time/locale'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { cellsOf, grid, numberIn, settled } from '../support/grid.ts'
import { open, RUNNING } from '../support/people.ts'

type Info = ReplyOf<typeof financials.initInfo>
type Table = ReplyOf<typeof financials.table>
type Opportunity = ReplyOf<typeof financials.opportunity>
type Stats = ReplyOf<typeof financials.stats>

const panel = (page: Page) => page.getByRole('complementary', { name: 'Best, worst and opportunity' })

/** The number cells of an explanation's rows: the pharmacies' rows, and the sums at the bottom. */
async function partsOf(drawer: Locator): Promise<{ rows: number[][]; foot: number[][] }> {
  const read = (section: string) =>
    drawer
      .getByRole('table')
      .locator(`${section} tr`)
      .evaluateAll((all) => all.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent ?? '')))
  const numbers = (rows: string[][]) => rows.map((cells) => cells.map(numberIn))
  return { rows: numbers(await read('tbody')), foot: numbers(await read('tfoot')) }
}

const sumOf = (rows: number[][], column: number) => rows.reduce((sum, row) => sum + (row[column] || 0), 0)

test('the parts of every headline figure add up to it', { tag: '@main' }, async ({ page }) => {
  await open(page)
  await settled(page)
  for (const [cell, tabs] of [
    ['Scripts', []],
    ['Patients', ['All patients', 'Female', 'Male']],
    ['Patients measured for adherence', ['Adherent', 'Not adherent']],
  ] as const) {
    await page.getByRole('button', { name: `${cell}: how it is calculated`, exact: true }).click()
    const drawer = page.getByRole('dialog')
    for (const tab of tabs.length > 0 ? tabs : [null]) {
      if (tab) await drawer.getByRole('tab', { name: tab, exact: true }).click()
      await expect(drawer.getByText('The parts add up to the number.')).toBeVisible()
      await expect(drawer.getByText('Formula')).toBeVisible()
      await expect(drawer.getByText(/^Financial year .*\(as far as the data goes\)$/)).toBeVisible()
      const { rows, foot } = await partsOf(drawer)
      const whole = foot[0]?.[0] ?? 0
      expect(sumOf(rows, 0)).toBe(whole)
      expect(whole).toBeGreaterThan(0)
      // Only pharmacies with complete data in both years take part in the change; the last line has their sums.
      const compared = rows.filter(([, previous]) => !Number.isNaN(previous))
      const [now = 0, previous = 0, change = 0] = foot.at(-1) ?? []
      expect([sumOf(compared, 0), sumOf(compared, 1)]).toEqual([now, previous])
      expect(change).toBe(Number((((now - previous) / previous) * 100).toFixed(2)))
      await expect(
        drawer.getByText(`÷ ${formatNumber('AU', previous)} = ${formatChange('AU', (now - previous) / previous)}`),
      ).toBeVisible()
      const shown = page.locator(`section[aria-label="${cell}"]`)
      const figure = formatNumber('AU', whole)
      await expect(shown).toContainText(tab && tab !== 'All patients' ? `${tab} ${figure}` : figure)
    }
    await page.keyboard.press('Escape')
    await expect(drawer).toHaveCount(0)
  }
})

test('the patients behind an adherence figure add up to it, over all pages', { tag: '@main' }, async ({ page }) => {
  const ask = await open(page, '/financials?statistic=adherence')
  const { pharmacies } = await ask<Info>('enterprise-init-info', RUNNING)
  const ids = pharmacies.map(({ pharmacy_id }) => pharmacy_id)
  const table = await ask<Table>('enterprise-pharmacy-table', { category: 'Drug Type', pharmacies: ids, ...RUNNING })
  const smallest = table.pharmacies
    .filter(({ cells }) => (cells.Diabetes?.script_count ?? 0) > 0)
    .sort((a, b) => (a.cells.TOTAL?.script_count ?? 0) - (b.cells.TOTAL?.script_count ?? 0))[0]
  const share = formatPercent('AU', smallest?.cells.TOTAL?.adherent_script_percent ?? null)

  await page.goto(`/financials?statistic=adherence&pharmacies=${smallest?.pharmacy_id.slice(-12)}`)
  await settled(page)
  const row = grid(page).getByRole('row', { name: smallest?.pharmacy_name })
  await expect(row.getByRole('gridcell').first()).toContainText(share)
  await row.getByRole('gridcell').first().click()
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('tab', { name: 'Patients behind this' }).click()
  await expect(drawer.getByText(/\d rows, \d+ a page/)).toBeVisible()

  const sums = { rows: 0, scripts: 0, adherent: 0, covered: 0, observed: 0 }
  for (let at = 1; ; at++) {
    await expect(drawer.getByText(new RegExp(`^Page ${at} of \\d+$`))).toBeVisible()
    await expect(drawer.locator('[aria-busy=true]')).toHaveCount(0)
    const cells = await drawer
      .getByRole('row')
      .evaluateAll((rows) => rows.map((one) => [...one.querySelectorAll('td')].map((cell) => cell.textContent ?? '')))
    for (const [, , days = '', level = '', scripts = ''] of cells.filter((one) => one.length > 0)) {
      const [covered = 0, observed = 0] = days.split('of').map(numberIn)
      sums.rows++
      sums.scripts += numberIn(scripts)
      sums.adherent += numberIn(level.split('%')[0] ?? '') >= 80 ? numberIn(scripts) : 0
      sums.covered += covered
      sums.observed += observed
    }
    const next = drawer.getByRole('button', { name: 'Next page' })
    if (await next.isDisabled()) break
    await next.click()
  }
  const count = (value: number) => formatNumber('AU', value)
  await expect(drawer.getByText(/\d rows, \d+ a page/)).toContainText(`${count(sums.rows)} rows`)
  await expect(drawer.getByText(/belong to rows covered/)).toContainText(
    `${count(sums.adherent)} of ${count(sums.scripts)} belong to rows covered 80% or more: ${share}`,
  )
  await expect(drawer.getByText(/covered of/)).toContainText(
    `${count(sums.covered)} covered of ${count(sums.observed)} observed`,
  )
})

test('a page of patients that does not load leaves a way back to the one before it', async ({ page }) => {
  await page.route('**/api/enterprise-adherence-detail', async (route) => {
    if (route.request().postDataJSON().page > 1) return route.fulfill({ status: 500, json: { message: 'Not now' } })
    // A small network has one page.
    const response = await route.fetch()
    return route.fulfill({ response, json: { ...(await response.json()), page_count: 2 } })
  })
  await open(page, '/financials?statistic=adherence')
  const row = grid(page)
    .getByRole('row')
    .filter({ has: page.getByRole('link') })
    .first()
  await row.getByRole('gridcell').first().click()
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('tab', { name: 'Patients behind this' }).click()
  await drawer.getByRole('button', { name: 'Next page' }).click()
  await expect(drawer.getByRole('alert')).toContainText('Could not load page 2 of the patients')
  await drawer.getByRole('button', { name: 'Back to page 1' }).click()
  await expect(drawer.getByText(/^Page 1 of 2$/)).toBeVisible()
})

test('the pharmacies behind a change are sorted by it, those without one last', async ({ page }) => {
  await open(page)
  await settled(page)
  await page.getByRole('button', { name: 'Scripts: how it is calculated', exact: true }).click()
  const drawer = page.getByRole('dialog')
  const changes = async () => (await partsOf(drawer)).rows.map((cells) => cells.at(-1) ?? Number.NaN)
  const head = drawer.getByRole('columnheader', { name: 'Change' })
  for (const [order, way] of [
    ['ascending', 1],
    ['descending', -1],
  ] as const) {
    await head.getByRole('button').click()
    await expect(head).toHaveAttribute('aria-sort', order)
    const all = await changes()
    const known = all.filter((one) => !Number.isNaN(one))
    expect(known.length).toBeGreaterThan(1)
    expect(all).toEqual([
      ...known.toSorted((a, b) => way * (a - b)),
      ...Array(all.length - known.length).fill(Number.NaN),
    ])
  }
})

test('best and worst show the server’s figures, and switch by keyboard', async ({ page }) => {
  const ask = await open(page)
  const { pharmacies } = await ask<Info>('enterprise-init-info', RUNNING)
  const ids = pharmacies.map(({ pharmacy_id }) => pharmacy_id)
  const table = await ask<Table>('enterprise-pharmacy-table', { category: 'Drug Type', pharmacies: ids, ...RUNNING })
  const ranked = panel(page).getByRole('tabpanel').getByRole('rowheader')
  const names = (rank: Table['best_categories']) => rank.categories.map(({ category }) => category)
  await expect(ranked).toHaveText([...names(table.best_categories), /^Best/])
  await panel(page).getByRole('tab', { name: 'Best' }).press('ArrowRight')
  await expect(page).toHaveURL('/financials?rank=worst')
  await expect(ranked).toHaveText([...names(table.worst_categories), /^Worst/])
  const first = table.worst_categories.categories[0]
  await expect(panel(page).getByRole('tabpanel').getByRole('row').nth(1)).toContainText(
    formatPercent('AU', first?.adherent_script_percent ?? null),
  )
})

test('the calculator has its rules, and the server’s numbers', { tag: '@main' }, async ({ page }) => {
  const ask = await open(page)
  const { pharmacies } = await ask<Info>('enterprise-init-info', RUNNING)
  const pharmacy_ids = pharmacies.map(({ pharmacy_id }) => pharmacy_id)
  const which = panel(page).getByRole('combobox', { name: 'Drug Type' })
  const adherence = panel(page).getByRole('switch', { name: 'Days covered' })
  const points = panel(page).getByLabel('Days covered by, in points')
  const price = panel(page).getByLabel('Price per script by, in currency per script')
  await expect(which).toHaveValue(/\w/)

  await expect(adherence).not.toBeChecked()
  await points.fill('7.5')
  await expect(adherence).toBeChecked()
  await price.fill('1.20')
  await expect(panel(page).getByRole('switch', { name: 'Price per script' })).toBeChecked()
  await panel(page).getByRole('button', { name: 'Price per script: more. Change direction' }).click()
  await expect(panel(page).getByRole('button', { name: 'Price per script: less. Change direction' })).toBeVisible()
  await expectOpportunity({ adherence_adjustment: 7.5, price_per_script_adjustment: -1.2 })
  await adherence.uncheck()
  await expectOpportunity({ adherence_adjustment: 0, price_per_script_adjustment: -1.2 })
  await panel(page).getByRole('radio', { name: 'Best', exact: true }).click()
  await expectOpportunity({ adherence_adjustment: 0, price_per_script_adjustment: -1.2 })

  await panel(page).getByRole('button', { name: 'How this is calculated' }).click()
  await expect(page.getByRole('dialog', { name: 'How the opportunity is calculated' })).toBeVisible()
  await page.keyboard.press('Escape')

  await panel(page).getByRole('radio', { name: 'Manual' }).click()
  await expect(panel(page).getByText('Choose one to calculate with.')).toBeVisible()
  await expect(panel(page).getByRole('button', { name: 'Recalculate: choose one first' })).toBeDisabled()
  await which.click()
  await page.getByRole('option', { name: 'Diabetes' }).click()
  await expect(panel(page).getByRole('button', { name: 'Recalculate' })).toBeEnabled()
  await expectOpportunity({ adherence_adjustment: 0, price_per_script_adjustment: -1.2 })

  // Another category starts over.
  await page.getByRole('button', { name: 'Group Drug Type' }).click()
  await page.getByRole('menuitem', { name: 'Condition' }).click()
  await expect(panel(page).getByRole('combobox', { name: 'Condition' })).toBeVisible()
  await expect(price).toHaveValue('')
  await expect(panel(page).getByRole('switch', { name: 'Price per script' })).not.toBeChecked()
  await expect(panel(page).getByRole('radio', { name: 'Worst' })).toBeChecked()

  async function expectOpportunity(adjustments: object): Promise<void> {
    const subcategory = await which.inputValue()
    const input = { category: 'Drug Type', subcategory, pharmacy_ids, ...adjustments, ...RUNNING }
    const answer = await ask<Opportunity>('enterprise-opportunity-calculator', input)
    const result = panel(page).getByRole('table', { name: 'Result of the calculator' })
    const row = (name: string) => result.getByRole('row', { name: new RegExp(`^${name}`) })
    await expect(row('Days covered')).toHaveText(
      `Days covered${formatPercent('AU', answer.current_adherence)}${formatPercent('AU', answer.potential_adherence)}`,
    )
    await expect(row('Scripts')).toHaveText(
      `Scripts${formatNumber('AU', answer.total_script)}${formatNumber('AU', answer.potential_script)}`,
    )
    await expect(row('Revenue')).toHaveText(
      `Revenue${formatMoney('AU', answer.current_revenue)}${formatMoney('AU', answer.potential_revenue)}`,
    )
  }
})

test('the average of other companies explains its calculation and names none of them', async ({ page }) => {
  await open(page)
  const rows = await cellsOf(page)
  expect(rows[2]?.[0]).toBe('Pillar average')
  const average = grid(page).getByRole('row', { name: /^Pillar average \d+ pharmacies, Australia/ })
  await average.getByRole('gridcell').first().click()
  const drawer = page.getByRole('dialog', { name: 'Pillar average · All drug types' })
  await expect(drawer.getByText(/at least 90% of its business days/)).toBeVisible()
  await expect(drawer.getByRole('table')).toHaveCount(0)
})

test('a share shows its uncertainty, and its distance from the average can be recalculated', async ({ page }) => {
  const ask = await open(page, '/financials?statistic=adherence')
  const { pharmacies } = await ask<Info>('enterprise-init-info', RUNNING)
  const ids = pharmacies.map(({ pharmacy_id }) => pharmacy_id)
  const stats = await ask<Stats>('enterprise-pharmacy-stats', { pharmacy_ids: ids, ...RUNNING })
  const { low, high } = stats.patients.adherent_share
  const bounds = `${formatPercent('AU', low, 1)} – ${formatPercent('AU', high, 1)}`
  await expect(page.locator('section[aria-label="Patients measured for adherence"]')).toContainText(bounds)

  const table = await ask<Table>('enterprise-pharmacy-table', { category: 'Drug Type', pharmacies: ids, ...RUNNING })
  const own = table.columns[0]!.total
  const cell = grid(page)
    .getByRole('row', { name: /^TOTAL/ })
    .getByRole('gridcell')
    .first()
  const between = `etween ${formatPercent('AU', own.adherence_low, 1)} and ${formatPercent('AU', own.adherence_high, 1)}`
  await expect(cell).toHaveAttribute('title', new RegExp(between))
  await cell.click()
  const drawer = page.getByRole('dialog', { name: 'TOTAL · All drug types' })
  await drawer.getByRole('tab', { name: 'How this is calculated' }).click()
  await expect(drawer.getByText(`B${between}, from ${formatNumber('AU', own.adherence_n)} measured`)).toBeVisible()
  const average = table.baseline?.TOTAL?.adherent_script_percent
  if (average == null)
    await expect(
      drawer.getByText(
        table.baseline_reason ??
          'The average of this subcategory is hidden: too few pharmacies, or one company too large.',
      ),
    ).toBeVisible()
  else {
    const [mine, theirs] = [formatPercent('AU', own.adherent_script_percent), formatPercent('AU', average)]
    const distance = formatChange('AU', own.adherence_performance)
    await expect(drawer.getByText(`${mine} ÷ ${theirs} − 1 = ${distance}`)).toBeVisible()
  }
})
