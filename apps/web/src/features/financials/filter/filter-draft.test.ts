import type { Pharmacy } from '@pillar/contract/financials'
import { day } from '@pillar/domain/time/day'
import { describe, expect, test } from 'vitest'
import { filtersOf, financialsSearch } from '../search.ts'
import { changeOf, draftOf, EMPTY, offeredOf, parts } from './filter-draft.ts'
import { selected } from './pharmacies.ts'

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

describe('confirming', () => {
  test.each([
    [{}],
    [{ state: 'NSW', statistic: 'loyalty' }],
    [{ group: 'Sex', columns: ['Female'], postcode: 2204 }],
    [{ state: 'NSW', pharmacies: '000000000001' }],
    [{ without: '000000000002' }],
  ])('without a change asks for the same screen: %j', (search) => {
    const before = filters(search)
    const draft = draftOf(before, all)
    const after = filters({ ...search, ...changeOf(draft, offeredOf(draft, all)) })
    expect({ ...after, chosen: null, without: [] }).toEqual({ ...before, chosen: null, without: [] })
    expect(selected(all, after)).toEqual(selected(all, before))
  })

  test('after Reset leaves no place filter', () => {
    expect(Object.values(changeOf(EMPTY, all)).every((value) => value === undefined)).toBe(true)
  })

  test('accepts postcodes separated by commas or spaces', () => {
    expect(parts(' 2204, 45 3 ')).toEqual(['2204', '45', '3'])
    expect(parts('LS1  4AP, m1')).toEqual(['LS1 4AP', 'm1'])
  })
})
