import { describe, expect, it } from 'vitest'
import { filtersOf } from '../search.ts'
import { draftOf, filledPlaces, filtersOfDraft, isUptake, type Places } from './filter-draft.ts'

const pharmacy = (end: string, state: string | null) => ({
  ...{ uuid: `01980000-0000-7000-8000-${end.padStart(12, '0')}`, name: end, state, postcode: '2000' },
})
const company: Places = {
  ...{ kind: 'company', chosen: [] },
  pharmacies: [pharmacy('a', 'NSW'), pharmacy('b', 'VIC'), pharmacy('c', null)],
}
const guild: Places = {
  kind: 'guild',
  published: [
    { name: 'NSW', postcodes: ['2000', '2010'] },
    { name: 'VIC', postcodes: ['3000'] },
  ],
}
const filters = filtersOf({})

describe('selecting states', () => {
  it('selects the postcodes in them, or the pharmacies', () => {
    expect(filledPlaces(['NSW'], guild)).toEqual(['2000', '2010'])
    expect(filledPlaces(['VIC'], company)).toEqual([company.pharmacies[1]?.uuid])
  })
  it('with all of them includes pharmacies without a state', () => {
    expect(draftOf(filters, company).inside).toHaveLength(3)
  })
})

describe('confirming', () => {
  it('treats everything as no filter', () => {
    expect(filtersOfDraft(draftOf(filters, company), company)).toMatchObject({
      states: [],
      pharmacies: [],
      postcodes: [],
    })
  })
  it('stores some pharmacies by the end of their id, and finds them again', () => {
    const next = filtersOfDraft({ ...draftOf(filters, company), inside: [company.pharmacies[1]!.uuid] }, company)
    expect(next.pharmacies).toEqual(['00000000000b'])
    expect(draftOf({ ...filters, ...next }, company).inside).toEqual([company.pharmacies[1]?.uuid])
  })
  it('stores all but one by that one', () => {
    const inside = company.pharmacies.slice(1).map(({ uuid }) => uuid)
    const next = filtersOfDraft({ ...draftOf(filters, company), inside }, company)
    expect(next.pharmacies).toEqual(['not', '00000000000a'])
    expect(draftOf({ ...filters, ...next }, company).inside).toEqual(inside)
  })
  it('stores some postcodes unchanged', () => {
    const draft = { ...draftOf(filters, guild), grouping: 'postcode' as const, inside: ['2010'] }
    expect(filtersOfDraft(draft, guild)).toMatchObject({ postcodes: ['2010'], grouping: 'postcode', pharmacies: [] })
  })
})

it('an uptake may end in a zero while it is typed; nothing, a lone point and 101 are not uptakes', () => {
  expect([62.5, '62.50', '62.', 0, '100.00'].map(isUptake)).toEqual([true, true, true, true, true])
  expect(['', '.', 101, '-'].map(isUptake)).toEqual([false, false, false, false])
})
