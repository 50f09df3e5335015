import { day } from '@pillar/domain/time/day'
import { describe, expect, it } from 'vitest'
import { dialogSearch } from '../../frame/dialog-address.ts'
import { sortSearch } from '../attribution/message-sort.ts'
import { campaignsSearch, filtersOf, periodSearch, pharmacySearch, pickedOf } from './search.ts'

const TODAY = day('2026-11-20')
const ID = '00000000-0000-4000-8000-000000000007'

describe('the address bar', () => {
  it('drops unknown values and keeps the rest', () => {
    expect(
      campaignsSearch.parse({ dialog: 'nonsense', campaign: 'x', sort: 'password', page: -1, find: 'cob' }),
    ).toEqual({
      find: 'cob',
    })
    expect(campaignsSearch.parse({ dialog: 'campaigns', campaign: ID, period: 2026 })).toEqual({
      dialog: 'campaigns',
      campaign: ID,
      period: 2026,
    })
  })
  it('is the running month by revenue if empty', () => {
    expect(filtersOf({}, TODAY)).toEqual({
      choice: { year: 2026, month: 11 },
      chosen: null,
      find: '',
      sort: { field: 'revenue', order: 'desc' },
      page: 1,
    })
  })
  it('names months, quarters and years, but no period that has not begun or is not offered', () => {
    const choice = (period: string | number) => filtersOf({ period }, TODAY).choice
    expect(choice('2026-03')).toEqual({ year: 2026, month: 3 })
    expect(choice('2025Q4')).toEqual({ year: 2025, quarter: 4 })
    expect(choice(2024)).toEqual({ year: 2024 })
    for (const none of ['2026-12', '2031', '1999-01', 'soon']) expect(choice(none)).toEqual({ year: 2026, month: 11 })
  })
  it('writes a period that reads back as itself, and nothing for the running month', () => {
    expect(periodSearch({ year: 2026, month: 11 }, TODAY)).toEqual({ period: undefined })
    for (const choice of [{ year: 2026, month: 3 }, { year: 2025, quarter: 4 }, { year: 2026 }]) {
      expect(filtersOf(periodSearch(choice, TODAY), TODAY).choice).toEqual(choice)
    }
  })
})

describe('dialogs in the address', () => {
  const behind = { period: '2026-03', page: 3, find: 'cob' }
  it('open over the screen as it is, and leave it as it was', () => {
    const open = dialogSearch(behind, 'campaigns', { campaign: ID })
    expect(open).toEqual({ ...behind, dialog: 'campaigns', campaign: ID })
    expect(dialogSearch(open, null)).toEqual(behind)
  })
  it('keep nothing of the previous dialog', () => {
    const before = dialogSearch(behind, 'campaigns', { campaign: ID, status: 'active', search: 'x' })
    expect(dialogSearch(before, 'templates')).toEqual({ ...behind, dialog: 'templates' })
  })
})

it('a new column sorts in its natural direction first; the same column again reverses it', () => {
  const revenue = { field: 'revenue', order: 'desc' } as const
  expect(sortSearch(revenue, 'revenue')).toEqual({ sort: undefined, order: 'asc' })
  expect(sortSearch(revenue, 'name')).toEqual({ sort: 'name', order: undefined })
  expect(sortSearch({ field: 'name', order: 'asc' }, 'name')).toEqual({ sort: 'name', order: 'desc' })
  expect(filtersOf({ sort: 'name' }, TODAY).sort).toEqual({ field: 'name', order: 'asc' })
})

describe('pharmacies in the address', () => {
  const all = [7, 8, 9].map((n) => ({ uuid: `00000000-0000-4000-8000-00000000000${n}` }))
  const read = (ids: string[]) => pickedOf(all, filtersOf(pharmacySearch(all, ids), TODAY).chosen)
  it('read back as the picked ones', () => {
    expect(read([all[1]!.uuid])).toEqual([all[1]])
    expect(read([all[0]!.uuid, all[2]!.uuid])).toEqual([all[0], all[2]])
  })
  it('are all of them if all or none are picked, or none of the picked ones still exists', () => {
    expect(
      pharmacySearch(
        all,
        all.map(({ uuid }) => uuid),
      ),
    ).toEqual({ pharmacies: undefined })
    expect(pharmacySearch(all, [])).toEqual({ pharmacies: undefined })
    expect(pickedOf(all, ['gone'])).toEqual(all)
  })
  it('read back however many of a large company are picked, and fit into the 8 KB of a proxy', () => {
    const many = Array.from({ length: 1_105 }, (_, n) => ({
      uuid: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    }))
    for (const size of [1, 552, 553, 650, 1_104]) {
      const address = pharmacySearch(
        many,
        many.slice(0, size).map(({ uuid }) => uuid),
      )
      expect(pickedOf(many, filtersOf(campaignsSearch.parse(address), TODAY).chosen)).toHaveLength(size)
      expect(new URLSearchParams({ pharmacies: String(address.pharmacies) }).toString().length).toBeLessThan(7_500)
    }
    const most = many.slice(0, 700).map(({ uuid }) => uuid.slice(-12))
    // A link made when commas stood between them.
    expect(pickedOf(many, filtersOf(campaignsSearch.parse({ pharmacies: most.join(',') }), TODAY).chosen)).toHaveLength(
      700,
    )
  })
  it('also read back if the end of an id is only digits', () => {
    const digits = [{ uuid: '00000000-0000-4000-8000-123456789012' }, ...all]
    const { pharmacies } = pharmacySearch(digits, [digits[0]!.uuid])
    expect(pharmacies).toBe(123456789012)
    expect(pickedOf(digits, filtersOf({ pharmacies }, TODAY).chosen)).toEqual([digits[0]])
  })
})
