import type { Pharmacy } from '@pillar/contract/financials'
import { day } from '@pillar/domain/time/day'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { filtersOf, financialsSearch } from '../search.ts'
import { gone, narrowed, pharmacySearch, postcodesOf, selected, statesOf } from './pharmacies.ts'

const pharmacy = (index: number, state: string | null, postcode: string | null): Pharmacy => ({
  pharmacy_id: `01890000-0000-7000-8000-${String(index).padStart(12, '0')}`,
  pharmacy_name: `Pharmacy ${index}`,
  state,
  postcode,
  owner: null,
  data_from: null,
  data_to: null,
  begins_before_data: false,
  last_upload: null,
  late: false,
  upload_status: 'Never uploaded',
})
const all = [
  pharmacy(1, 'NSW', '2204'),
  pharmacy(2, 'NSW', '2500'),
  pharmacy(3, 'QLD', '4013'),
  pharmacy(4, 'NT', '0822'),
  pharmacy(5, null, null),
]
const filters = (search: unknown) => filtersOf(financialsSearch.parse(search), 'AU', day('2026-11-20'))
const names = (some: readonly Pharmacy[]) => some.map(({ pharmacy_name }) => pharmacy_name.slice(-1)).join('')

describe('narrowing', () => {
  test('by state, by the start of a postcode, by both', () => {
    expect(names(narrowed(all, [], []))).toBe('12345')
    expect(names(narrowed(all, ['NSW', 'NT'], []))).toBe('124')
    expect(names(narrowed(all, [], ['2']))).toBe('12')
    expect(names(narrowed(all, [], ['2204', '08']))).toBe('14')
    expect(names(narrowed(all, ['NSW'], ['25', '4013']))).toBe('2')
    const leeds = [pharmacy(6, null, 'LS1 4AP'), pharmacy(7, null, 'LS14 6AB')]
    expect(names(narrowed(leeds, [], ['LS1 4']))).toBe('6')
    expect(names(narrowed(leeds, [], ['ls14ap']))).toBe('6')
    expect(names(narrowed(leeds, [], ['LS1']))).toBe('67')
  })

  test('picked and left out, within state and postcode', () => {
    expect(names(selected(all, filters({})))).toBe('12345')
    expect(names(selected(all, filters({ state: 'NSW', pharmacies: '000000000002,000000000003' })))).toBe('2')
    expect(names(selected(all, filters({ without: '000000000002' })))).toBe('1345')
  })

  test('counts the picked ones the company no longer has, ignoring those left out', () => {
    expect(gone(all, filters({ pharmacies: '000000000002,000000000009,0000000000aa' }))).toBe(2)
    expect(gone(all, filters({ state: 'NT', pharmacies: '000000000002' }))).toBe(0)
    expect(gone(all, filters({ without: '000000000009' }))).toBe(0)
  })

  test('choices', () => {
    expect(statesOf(all)).toEqual(['NSW', 'NT', 'QLD'])
    expect(postcodesOf([...all, pharmacy(6, 'NSW', '2204')], ['NSW'])).toEqual([
      { postcode: '2204', count: 2 },
      { postcode: '2500', count: 1 },
    ])
  })
})

describe('a picked set in the address', () => {
  test('all and none leave no trace', () => {
    const none = { pharmacies: undefined, without: undefined }
    expect(
      pharmacySearch(
        all,
        all.map(({ pharmacy_id }) => pharmacy_id),
      ),
    ).toEqual(none)
    expect(pharmacySearch(all, [])).toEqual(none)
  })

  test('fits into the 8 KB of a proxy for half of 1,105 pharmacies, and reads back for half of 3,000', () => {
    const many = Array.from({ length: 3_000 }, (_, n) => pharmacy(n, 'NSW', '2204'))
    const half = (offered: readonly Pharmacy[]) => {
      const picked = offered.filter((_, at) => at % 2 === 0)
      const search = pharmacySearch(
        offered,
        picked.map(({ pharmacy_id }) => pharmacy_id),
      )
      expect(selected(offered, filters(search))).toEqual(picked)
      return new URLSearchParams({ pharmacies: search.pharmacies as string }).toString()
    }
    expect(half(many.slice(0, 1_105)).length).toBeLessThan(7_500)
    half(many)
  })

  test('reads back as the same set, whichever form was written', () => {
    fc.assert(
      fc.property(fc.subarray(all, { minLength: 1 }), (some) => {
        const search = pharmacySearch(
          all,
          some.map(({ pharmacy_id }) => pharmacy_id),
        )
        expect(selected(all, filters(search))).toEqual(some)
      }),
    )
  })
})
