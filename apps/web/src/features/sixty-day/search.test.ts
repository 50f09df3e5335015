import { describe, expect, it } from 'vitest'
import { filtersOf, searchOf, sixtyDaySearch } from './search.ts'

const read = (search: object) => filtersOf(sixtyDaySearch.parse(search))

describe('the address of a 60 day page', () => {
  it('starts at the specification’s defaults', () => {
    expect(read({})).toEqual({
      ...{ uptake: 63, category: 'atc_lvl2', statistic: 'revenue_lost', tranche: 'all', net: false },
      ...{
        states: [],
        grouping: 'state',
        postcodes: [],
        pharmacies: [],
        sort: { field: null, order: 'desc' },
        page: 1,
      },
    })
    expect(Object.values(searchOf(read({}))).filter((value) => value !== undefined)).toEqual([])
  })
  it('drops unknown values, and never refuses', () => {
    const odd = { uptake: 101, category: 'x', show: 'x', tranche: 2, by: 'x', page: 0, states: 'NSW,XX', order: 'up' }
    expect(read(odd)).toEqual({ ...read({}), states: ['NSW'] })
    expect(read({ page: 1.5 })).toEqual(read({}))
  })
  it('reads back as written', () => {
    const filters = read({
      uptake: 24.98,
      category: 'molecule',
      show: 'visits_lost',
      tranche: 1,
      net: true,
      states: 'NSW,NT',
      by: 'postcode',
      postcodes: 800,
    })
    expect(filters).toMatchObject({ uptake: 24.98, category: 'mp_pt', tranche: '1', postcodes: ['0800'] })
    expect(read(searchOf(filters))).toEqual(filters)
  })
  it('names no states if all are selected, and no postcodes while grouped by state', () => {
    const all = ['NSW', 'QLD', 'VIC', 'SA', 'WA', 'TAS', 'NT', 'ACT']
    expect(searchOf({ ...read({}), states: all, postcodes: ['2000'] })).toMatchObject({
      states: undefined,
      postcodes: undefined,
    })
  })
})
