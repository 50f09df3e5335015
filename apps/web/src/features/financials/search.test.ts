import { day } from '@pillar/domain/time/day'
import { describe, expect, test } from 'vitest'
import {
  cleanPostcode,
  filtersOf,
  financialsSearch,
  groupSearch,
  newestWithData,
  periodSearch,
  placeSearch,
  sortSearch,
  statisticSearch,
} from './search.ts'

const today = day('2026-11-20')
const filters = (search: unknown) => filtersOf(financialsSearch.parse(search), 'AU', today)

describe('an address', () => {
  test('empty means the running financial year, Revenue by Drug Type, every pharmacy, largest first', () => {
    expect(filters({})).toEqual({
      choice: { year: 2026 },
      statistic: 'Revenue',
      category: 'Drug Type',
      states: [],
      postcodes: [],
      chosen: null,
      without: [],
      columns: null,
      sort: { field: 'TOTAL', order: 'desc' },
      rank: 'best',
      view: 'table',
      byChange: false,
      mark: null,
    })
  })

  test('holds every filter', () => {
    expect(
      filters({
        period: '2026Q3',
        statistic: 'loyalty',
        group: 'Age Group',
        state: 'NSW,QLD',
        postcode: '2204,45',
        pharmacies: 'aa,bb',
        without: 'cc',
        columns: ['65-74', '75+'],
        sort: '75+',
        order: 'asc',
        rank: 'worst',
        view: 'chart',
        by: 'change',
        mark: 'aa',
      }),
    ).toEqual({
      choice: { year: 2026, quarter: 3 },
      statistic: 'Loyalty',
      category: 'Age Group',
      states: ['NSW', 'QLD'],
      postcodes: ['2204', '45'],
      chosen: ['aa', 'bb'],
      without: ['cc'],
      columns: ['65-74', '75+'],
      sort: { field: '75+', order: 'asc' },
      rank: 'worst',
      view: 'chart',
      byChange: true,
      mark: 'aa',
    })
  })

  test('has numbers where the router read digits', () => {
    expect(filters({ period: 2024, postcode: 2204 })).toMatchObject({ choice: { year: 2024 }, postcodes: ['2204'] })
  })

  test('with nonsense still opens, without the nonsense', () => {
    expect(
      filters({
        period: '2026Q9',
        statistic: 'profit',
        order: 'up',
        columns: 'x',
        state: { a: 1 },
        rank: 3,
        view: 'pie',
      }),
    ).toEqual(filters({}))
  })
})

test.each([['1800'], ['2027'], ['2026-12'], ['2021Q4']])(
  'a period that is not offered, %s, is the running year',
  (period) => {
    expect(filters({ period }).choice).toEqual({ year: 2026 })
  },
)

describe('writing the address', () => {
  test.each([[{ year: 2026 }], [{ year: 2023 }], [{ year: 2025, quarter: 4 }], [{ year: 2026, month: 2 }]])(
    'a period reads back: %j',
    (choice) => {
      expect(filters(periodSearch(choice, 'AU', today)).choice).toEqual(choice)
    },
  )

  test('the defaults leave no trace', () => {
    expect(periodSearch({ year: 2026 }, 'AU', today)).toEqual({ period: undefined })
    expect(statisticSearch('Revenue')).toEqual({ statistic: undefined })
    expect(statisticSearch('Number of Scripts')).toEqual({ statistic: 'scripts' })
    expect(groupSearch('Drug Type')).toMatchObject({ group: undefined })
  })

  test('another group drops columns and sort; another place drops the picked pharmacies', () => {
    expect(groupSearch('Sex')).toEqual({ group: 'Sex', columns: undefined, sort: undefined, order: undefined })
    // Named, so that they leave the address they are merged into.
    expect(placeSearch(['NSW'], ['2204'])).toStrictEqual({
      state: 'NSW',
      postcode: 2204,
      pharmacies: undefined,
      without: undefined,
    })
    expect(placeSearch([], ['0822'])).toMatchObject({ state: undefined, postcode: '0822' })
  })

  test('sorting', () => {
    const byTotal = { field: 'TOTAL', order: 'desc' } as const
    expect(sortSearch(byTotal, 'TOTAL')).toEqual({ sort: undefined, order: 'asc' })
    expect(filters({ sort: 'pharmacy' }).sort).toEqual({ field: 'pharmacy', order: 'asc' })
    expect(sortSearch({ field: 'TOTAL', order: 'asc' }, 'TOTAL')).toEqual({ sort: undefined, order: undefined })
    expect(sortSearch(byTotal, 'pharmacy')).toEqual({ sort: 'pharmacy', order: undefined })
    expect(sortSearch({ field: 'pharmacy', order: 'asc' }, 'pharmacy')).toEqual({
      sort: 'pharmacy',
      order: 'desc',
    })
  })

  test('postcodes are digits, with letters only in Great Britain', () => {
    expect(cleanPostcode('AU', '22o4, 3x')).toBe('224, 3')
    expect(cleanPostcode('GB', 'sw1a')).toBe('SW1A')
  })
})

describe('a period that begins after the data', () => {
  test.each([
    [{ year: 2026 }, '2026-06-30', { year: 2025 }],
    [{ year: 2026, quarter: 4 }, '2026-09-30', { year: 2026, quarter: 3 }],
    [{ year: 2026, month: 12 }, '2026-11-30', { year: 2026, month: 11 }],
  ])('%j with data to %s leads to %j', (choice, until, newest) => {
    expect(newestWithData(choice, 'AU', day(until))).toEqual(newest)
  })

  test('a period that the data reach, even on its first day, leads nowhere', () => {
    expect(newestWithData({ year: 2026 }, 'AU', day('2026-07-01'))).toBeNull()
    expect(newestWithData({ year: 2020 }, 'AU', today)).toBeNull()
    expect(newestWithData({ year: 2026 }, 'AU', null)).toBeNull()
  })
})
