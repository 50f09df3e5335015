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

describe('choosing states', () => {
  it('fills in the postcodes of them, or the pharmacies', () => {
    expect(filledPlaces(['NSW'], guild)).toEqual(['2000', '2010'])
    expect(filledPlaces(['VIC'], company)).toEqual([company.pharmacies[1]?.uuid])
  })
  it('all of them take pharmacies without a state too', () => {
    expect(draftOf(filters, company).inside).toHaveLength(3)
  })
})

describe('confirming', () => {
  it('everything is no filter', () => {
    expect(filtersOfDraft(draftOf(filters, company), company)).toMatchObject({
      states: [],
      pharmacies: [],
      postcodes: [],
    })
  })
  it('some pharmacies are kept by the end of their id, and found again', () => {
    const next = filtersOfDraft({ ...draftOf(filters, company), inside: [company.pharmacies[1]!.uuid] }, company)
    expect(next.pharmacies).toEqual(['00000000000b'])
    expect(draftOf({ ...filters, ...next }, company).inside).toEqual([company.pharmacies[1]?.uuid])
  })
  it('some postcodes are kept as they are', () => {
    const draft = { ...draftOf(filters, guild), grouping: 'postcode' as const, inside: ['2010'] }
    expect(filtersOfDraft(draft, guild)).toMatchObject({ postcodes: ['2010'], grouping: 'postcode' })
  })
})

it('an uptake with a nought at its end is one while it is typed; nothing, a lone point and 101 are none', () => {
  expect([62.5, '62.50', '62.', 0, '100.00'].map(isUptake)).toEqual([true, true, true, true, true])
  expect(['', '.', 101, '-'].map(isUptake)).toEqual([false, false, false, false])
})
