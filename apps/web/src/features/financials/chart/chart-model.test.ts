import type { Cell } from '@pillar/contract/figure'
import { expect, test } from 'vitest'
import type { PharmacyRow } from '../table/table-model.ts'
import { barsOf, byChange, heatOf, median, placesOf, ranked } from './chart-model.ts'
import {
  barsTitle,
  cellWords,
  changed,
  dotsTitle,
  fallTitle,
  full,
  heatTitle,
  mapTitle,
  ordinal,
  type Said,
  short,
  withinTitle,
} from './chart-words.ts'

const cell = (revenue: number | null, share: number | null = null, n = 50): Cell => ({
  ...{ revenue_value: revenue, script_count: 10, adherent_script_percent: share, adherence_n: n },
  ...{ adherence_low: null, adherence_high: null, adherence_performance: null, loyalty_script_percent: null },
  ...{ loyalty_n: 0, loyalty_low: null, loyalty_high: null, loyalty_performance: null },
})
const row = (name: string, cells: Record<string, Cell>, place: Partial<PharmacyRow> = {}): PharmacyRow => ({
  ...{ pharmacy_id: `01890000-0000-7000-8000-${name.padStart(12, '0')}`, pharmacy_name: name },
  ...{ state: 'NSW', postcode: '2000', data_from: '2020-01-01', data_to: '2026-11-11', begins_before_data: false },
  ...{ late: false, cells, changes: {}, ...place },
})
const sydney = row('Sydney', { TOTAL: cell(300, 0.8), Cardiac: cell(200, 0.9), Pain: cell(40, null, 9) })
const bondi = row('Bondi', { TOTAL: cell(100, 0.5, 20), Cardiac: cell(90, 0.5) }, { postcode: '2026', late: true })
const perth = row('Perth', { TOTAL: cell(600, 0.6), Pain: cell(600, 0.6) }, { state: 'WA', postcode: '6000' })
const empty = row('Empty', {}, { data_to: null })
const rows = [sydney, bondi, perth, empty]
const said = (statistic: Said['statistic'], field = 'TOTAL'): Said => ({ statistic, country: 'AU', field })

test('the order is the table’s: by a column’s figure with missing ones last, or by name', () => {
  const names = (field: string, order: 'asc' | 'desc') =>
    ranked(rows, 'Revenue', { field, order }).map(({ pharmacy_name }) => pharmacy_name)
  expect(names('TOTAL', 'desc')).toEqual(['Perth', 'Sydney', 'Bondi', 'Empty'])
  expect(names('Cardiac', 'asc')).toEqual(['Bondi', 'Sydney', 'Empty', 'Perth'])
  expect(names('pharmacy', 'asc')).toEqual(['Bondi', 'Empty', 'Perth', 'Sydney'])
})

test('by change the largest fall is first, pharmacies without a comparison are last, and the title names the largest fall', () => {
  const change = (revenue_value: number | null) => ({
    ...{ revenue_value, script_count: null, adherent_script_percent: null, loyalty_script_percent: null },
  })
  const moved = [sydney, bondi, perth, empty].map((one, index) => ({
    ...one,
    changes: { TOTAL: change([0.1, null, -0.25, null][index] ?? null) },
  }))
  const fallen = byChange(moved, 'Revenue', 'TOTAL')
  expect(fallen.map(({ pharmacy_name }) => pharmacy_name)).toEqual(['Perth', 'Sydney', 'Bondi', 'Empty'])
  const title = (all: readonly PharmacyRow[]) => fallTitle(barsOf(all, 'Revenue', 'TOTAL'), said('Revenue'))
  expect(title(fallen)).toBe('Only Perth (−25.00%) of the 2 compared is below last year')
  expect(title([...fallen, { ...bondi, changes: { TOTAL: change(-0.1) } }])).toBe(
    '2 of the 3 compared are below last year, most of all Perth (−25.00%)',
  )
  expect(title([...moved.slice(0, 2), { ...perth, changes: { TOTAL: change(0) } }])).toBe(
    'None of the 2 compared is below last year',
  )
  expect(title(moved.slice(0, 1))).toBe('Sydney, the only pharmacy compared, is not below last year (+10.00%)')
  expect(title([])).toBe('No pharmacy has a year to compare with')
})

test('under 10 has no mark, under 30 a hollow one, and late data is noted', () => {
  expect(barsOf(rows, 'Adherence', 'Pain')[0]).toMatchObject({ value: null, note: 'too few to tell' })
  const [whole, few, , none] = barsOf(rows, 'Adherence', 'TOTAL')
  expect(whole).toMatchObject({ value: 0.8, hollow: false })
  expect(few).toMatchObject({ value: 0.5, hollow: true, note: 'only 20 measured, late' })
  expect(none).toMatchObject({ value: null, note: 'no data yet' })
  expect(barsOf(rows, 'Revenue', 'TOTAL').map(({ pale }) => pale)).toEqual([false, true, false, false])
  // Late data make a sum too small, not a share.
  expect(barsOf(rows, 'Adherence', 'TOTAL').some(({ pale }) => pale)).toBe(false)
  const [enough] = barsOf([row('Thirty', { TOTAL: cell(9, 0.7, 30) })], 'Adherence', 'TOTAL')
  expect(enough).toMatchObject({ hollow: false })
  expect(enough).not.toHaveProperty('note')
})

test('a bar has its change and its value a year earlier; one with few observations has neither', () => {
  const change = {
    revenue_value: 0.5,
    script_count: null,
    adherent_script_percent: 0.0512,
    loyalty_script_percent: null,
  }
  const grown = [sydney, bondi, perth].map((one) => ({ ...one, changes: { TOTAL: change } }))
  expect(barsOf(grown, 'Revenue', 'TOTAL')[0]).toMatchObject({ value: 300, change: 0.5, before: 200, notable: true })
  const [whole, few] = barsOf(grown, 'Adherence', 'TOTAL')
  expect(whole).toMatchObject({ value: 0.8, change: 0.0512, notable: true })
  expect(whole?.before).toBeCloseTo(0.7488, 10)
  expect(few).not.toHaveProperty('change')
  expect(barsOf(grown, 'Number of Scripts', 'TOTAL')[0]).not.toHaveProperty('change')
  expect([changed(said('Revenue'), 0.5), changed(said('Adherence'), -0.05)]).toEqual(['+50.00%', '−5.0'])
})

test('the others in a heat map are the whole minus its columns; shares have none', () => {
  const heat = heatOf(rows, 'Revenue', ['TOTAL', 'Cardiac'], ['TOTAL', 'Cardiac', 'Pain', 'Skin'])
  expect(heat.endHeads).toEqual(['2 others', 'All'])
  expect(heat.rows.map(({ ends }) => ends)).toEqual([
    [100, 300],
    [10, 100],
    [600, 600],
  ])
  // Refunds of the others leave less than the columns have.
  const refunded = row('Refunds', { TOTAL: cell(90), Cardiac: cell(100) })
  const [less] = heatOf([refunded], 'Revenue', ['TOTAL', 'Cardiac'], ['TOTAL', 'Cardiac', 'Pain']).rows
  expect(less!.ends).toEqual([0, 90])
  expect(heatOf(rows, 'Adherence', ['TOTAL', 'Cardiac'], ['TOTAL', 'Cardiac', 'Pain']).endHeads).toEqual(['All'])
})

test('a state has the sum of its pharmacies or, for a share, the median pharmacy with enough observations', () => {
  expect(placesOf(rows, 'Revenue', 'TOTAL', 'state')).toEqual([
    { code: 'NSW', value: 400, pharmacies: 2 },
    { code: 'WA', value: 600, pharmacies: 1 },
  ])
  expect(placesOf(rows, 'Adherence', 'TOTAL', 'state')[0]).toEqual({ code: 'NSW', value: 0.8, pharmacies: 1 })
  expect(placesOf([empty], 'Revenue', 'TOTAL', 'postcode')).toEqual([{ code: '2000', value: null, pharmacies: 0 }])
  expect([median([3, 1, 2]), median([4, 1, 2, 3])]).toEqual([2, 2.5])
})

test('an opened state is shown by the country’s name for its postcodes', () => {
  expect(withinTitle('NSW', 'AU')).toBe('NSW by postcode')
  expect(withinTitle('TX', 'US')).toBe('TX by ZIP code')
})

test('titles are answers', () => {
  const title = (statistic: Said['statistic']) => barsTitle(barsOf(rows, statistic, 'TOTAL'), said(statistic))
  expect(title('Revenue')).toBe('Perth brings 60.00% of revenue')
  // Bondi's share has too few observations to rank it last.
  expect(title('Adherence')).toBe('Sydney leads with 80.00%, Perth is last with 60.00%')
  const ten = Array.from({ length: 10 }, (_, index) => ({ id: `${index}`, label: `P${index}`, value: 10 }))
  expect(barsTitle(ten, said('Number of Scripts'))).toBe('Five pharmacies bring 50.00% of scripts')
  expect(barsTitle([], said('Revenue'))).toBe('Too few to rank by revenue')
  const idle = ten.map((one) => ({ ...one, value: 0 }))
  expect(barsTitle(idle, said('Revenue'))).toBe('No revenue in this period')

  const dots = [10, 20, 30].map((value) => ({ id: `${value}`, label: `P${value}`, value }))
  expect(dotsTitle(dots, 20, undefined, said('Revenue'))).toBe('1 of 3 pharmacies is above the average of $20')
  expect(dotsTitle(dots, 20, dots[2], said('Revenue'))).toBe('P30 is 1st of 3: $30, $10 above the average')
  for (const mark of [undefined, dots[0]])
    expect(dotsTitle(dots.slice(0, 1), 10, mark, said('Revenue'))).toBe('P10 is the only one with a figure: $10')
  const shares = [0.5, 0.75].map((value) => ({ id: `${value}`, label: `P${value}`, value }))
  expect(dotsTitle(shares, 0.6, shares[0], said('Adherence'))).toBe(
    'P0.5 is 2nd of 2: 50.00%, 10.0 points below the average',
  )

  const heat = heatOf(rows, 'Revenue', ['TOTAL', 'Cardiac', 'Pain'], ['TOTAL', 'Cardiac', 'Pain'])
  expect(heatTitle(heat, 'Drug Type', said('Revenue'))).toBe('The largest drug type at 2 of 3 pharmacies is Cardiac')
  const places = placesOf(rows, 'Revenue', 'TOTAL', 'state')
  expect(mapTitle(places, said('Revenue'))).toBe('WA brings 60.00% of revenue')
  expect(mapTitle(places, said('Revenue'), 'NSW')).toBe('NSW brings 40.00% of revenue')
  // A pharmacy without a state is not on the map, but its revenue is part of the whole.
  expect(mapTitle(places, said('Revenue'), null, 1000)).toBe('WA brings 30.00% of revenue')
  const free = { columns: ['Cardiac'], rows: [{ ...heat.rows[0]!, cells: [{ ...heat.rows[0]!.cells[0]!, value: 0 }] }] }
  expect(heatTitle(free, 'Drug Type', said('Revenue'))).toBe('No revenue in this period')
  const [one] = heat.rows[0]!.cells
  const unsure = [
    { ...one!, value: 0.6 },
    { ...one!, value: 0.9, hollow: true },
  ]
  const two = { columns: ['Cardiac', 'Pain'], rows: [{ ...heat.rows[0]!, cells: unsure }] }
  expect(heatTitle(two, 'Drug Type', said('Adherence'))).toBe('Adherence is highest for Cardiac at the only pharmacy')
  expect(mapTitle([{ ...places[0]!, value: 0 }], said('Revenue'))).toBe('No revenue in this period')
  expect(mapTitle(placesOf(rows, 'Adherence', 'TOTAL', 'state'), said('Adherence'))).toBe(
    'Adherent scripts are highest in NSW: 80.00%',
  )
})

test('figures are in full on a point, short on an axis, and without their unit in a cell', () => {
  expect([full(said('Revenue'), 12_345), short(said('Revenue'), 20_000), short(said('Revenue'), 2500)]).toEqual([
    '$12,345',
    '$20k',
    '$2.5k',
  ])
  expect([short(said('Adherence'), 0.6), short(said('Adherence'), 0.615)]).toEqual(['60%', '61.5%'])
  expect(cellWords(said('Revenue'), 25_000).unit).toBe('in $1,000')
  expect(cellWords(said('Revenue'), 25_000).format(8484)).toBe('8.5')
  expect(cellWords(said('Revenue'), 3_500_000).format(1_234_567)).toBe('1,235')
  expect(cellWords(said('Revenue'), 120_000_000).unit).toBe('in $1m')
  expect(cellWords(said('Revenue'), 120_000_000).format(118_400_000)).toBe('118.4')
  expect(cellWords(said('Loyalty'), 1).format(0.613)).toBe('61.3')
  expect([1, 2, 3, 4, 11, 22, 113].map(ordinal)).toEqual(['1st', '2nd', '3rd', '4th', '11th', '22nd', '113th'])
})
