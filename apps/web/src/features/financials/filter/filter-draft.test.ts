import type { Pharmacy } from '@pillar/contract/financials'
import { day } from '@pillar/domain/time/day'
import { describe, expect, test } from 'vitest'
import { filtersOf, financialsSearch } from '../search.ts'
import { begunUnits, changeOf, draftOf, emptyDraft, parts, periodDraft, withKind } from './filter-draft.ts'
import { narrowed, selected } from './pharmacies.ts'

const today = day('2026-11-20')
const all = ['2204', '2500', '4013'].map(
  (postcode, index): Pharmacy => ({
    pharmacy_id: `01890000-0000-7000-8000-00000000000${index}`,
    pharmacy_name: `Pharmacy ${index}`,
    state: postcode.startsWith('2') ? 'NSW' : 'QLD',
    postcode,
    owner: null,
    data_from: null,
    data_to: null,
    begins_before_data: false,
    last_upload: null,
    late: false,
    upload_status: 'Never uploaded',
  }),
)
const filters = (search: unknown) => filtersOf(financialsSearch.parse(search), 'AU', today)

describe('period', () => {
  test('another kind clears the unit: a quarter is no month', () => {
    const draft = periodDraft({ year: 2025, quarter: 4 })
    expect(withKind(draft, 'month', 'AU', today)).toEqual({ kind: 'month', year: 2025, unit: null })
    expect(withKind({ kind: 'month', year: 2019, unit: 2 }, 'year', 'AU', today)).toEqual({
      kind: 'year',
      year: 2026,
      unit: null,
    })
  })

  test('only what has begun is offered', () => {
    expect(begunUnits({ kind: 'month', year: 2026 }, 'AU', today).at(-1)).toBe(11)
    expect(begunUnits({ kind: 'quarter', year: 2026 }, 'AU', today)).toEqual([1, 2, 3, 4])
    expect(begunUnits({ kind: 'quarter', year: 2027 }, 'AU', today)).toEqual([])
    expect(begunUnits({ kind: 'year', year: 2026 }, 'AU', today)).toEqual([])
  })
})

describe('confirming', () => {
  test.each([
    [{}],
    [{ state: 'NSW', statistic: 'loyalty' }],
    [{ group: 'Sex', columns: ['Female'], postcode: 2204 }],
    [{ state: 'NSW', pharmacies: '000000000001' }],
    [{ without: '000000000002' }],
  ])('without a change asks for the same screen: %j', (search) => {
    const before = filters(search)
    const offered = narrowed(all, before.states, before.postcodes)
    const after = filters({ ...search, ...changeOf(draftOf(before, all), before, offered) })
    expect({ ...after, chosen: null, without: [] }).toEqual({ ...before, chosen: null, without: [] })
    expect(selected(all, after)).toEqual(selected(all, before))
  })

  test('another category drops the columns and the sort', () => {
    const before = filters({ columns: ['Cardiac'], sort: 'Cardiac' })
    const change = changeOf({ ...draftOf(before, all), category: 'Sex' }, before, all)
    expect(change).toMatchObject({ group: 'Sex', columns: undefined, sort: undefined })
  })

  test('after Reset nothing is left', () => {
    const before = filters({ state: 'NSW', statistic: 'adherence', group: 'Sex', without: '000000000001' })
    const change = changeOf(emptyDraft('AU', today), before, all)
    expect(Object.values(change).every((value) => value === undefined)).toBe(true)
  })

  test('postcodes by commas or blanks', () => {
    expect(parts(' 2204, 45 3 ')).toEqual(['2204', '45', '3'])
    expect(parts('LS1  4AP, m1')).toEqual(['LS1 4AP', 'm1'])
  })
})
