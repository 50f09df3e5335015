import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { day } from '../time/day.ts'
import { type Identity, matchKeys, phoneOf, postcodeOf } from './match-key.ts'
import { type KeyedRecord, MOST_PHARMACIES, pharmacySets, sharedPeople } from './same-person.ts'

const MARY: Identity = {
  ...{ firstName: 'Mary-Anne', lastName: "O'Brien", sex: 'F', born: day('1948-03-02') },
  ...{ mobile: '0412 345 679', postcode: '3121' },
}
const textsOf = (one: Partial<Identity>) => matchKeys({ ...MARY, ...one }).map(({ text }) => text)
const agree = (one: Partial<Identity>) => textsOf({}).some((text) => textsOf(one).includes(text))

describe('a patient’s key', () => {
  it('is name, date of birth and sex with the phone number, and with the postcode', () => {
    expect(matchKeys(MARY)).toEqual([
      { kind: 'phone', text: `phone|obrien|maryanne|${MARY.born}|F|412345679` },
      { kind: 'postcode', text: `postcode|obrien|maryanne|${MARY.born}|F|3121` },
    ])
  })

  it('is the same however names and numbers are written', () => {
    expect(agree({ firstName: 'MARY ANNE', lastName: 'Óbrien', mobile: '+61 412 345 679', postcode: null })).toBe(true)
    expect(agree({ mobile: null })).toBe(true)
    expect(agree({ postcode: '3000' })).toBe(true)
  })

  it('differs with another name, sex, day of birth, or neither phone nor postcode in common', () => {
    expect(agree({ firstName: 'Mary' })).toBe(false)
    expect(agree({ sex: 'M' })).toBe(false)
    expect(agree({ born: day('1948-03-03') })).toBe(false)
    expect(agree({ mobile: '0412 345 670', postcode: '3122' })).toBe(false)
  })

  it('is missing if a part is missing or made up', () => {
    expect(textsOf({ firstName: ' ' })).toEqual([])
    expect(textsOf({ firstName: 'Baby' })).toEqual([])
    expect(textsOf({ lastName: null })).toEqual([])
    expect(textsOf({ sex: null })).toEqual([])
    expect(textsOf({ born: null })).toEqual([])
    expect(textsOf({ born: day('1900-01-01') })).toEqual([])
    expect(textsOf({ mobile: '0000000000', postcode: '0000' })).toEqual([])
  })

  it('never uses a number that nobody has', () => {
    expect(
      ['0400 000 000', '0123456789', '0987654321', '12345', '0354 7261', '', null, '0499 999 999', '0412 333 333'].map(
        phoneOf,
      ),
    ).toEqual(Array(9).fill(''))
    expect(phoneOf('07700 900123')).toBe(phoneOf('+44 7700 900123'))
    expect(['sw1a 1aa', '800', '9999', '12'].map(postcodeOf)).toEqual(['SW1A1AA', '800', '', ''])
  })
})

const record = (location: number, patient: number, ...keys: string[]): KeyedRecord => ({ location, patient, keys })
const membersOf = (records: KeyedRecord[]) =>
  sharedPeople(records).map((one) => one.records.map(({ location, patient }) => `${location}:${patient}`).join(' '))

describe('the people of a company', () => {
  it('are records of different pharmacies with a common key, including through others', () => {
    expect(membersOf([record(1, 10, 'a', 'b'), record(2, 20, 'b', 'c'), record(3, 30, 'c')])).toEqual([
      '1:10 2:20 3:30',
    ])
    expect(membersOf([record(1, 10, 'a'), record(2, 20, 'b')])).toEqual([])
  })

  it('never join two records of one pharmacy: then nobody is joined', () => {
    expect(membersOf([record(1, 10, 'a'), record(1, 11, 'a')])).toEqual([])
    expect(membersOf([record(1, 10, 'a'), record(2, 20, 'a', 'b'), record(1, 11, 'b')])).toEqual([])
  })

  it('are joined at the others if a pharmacy has two records of them, which nobody can tell apart', () => {
    const twice = [record(1, 10, 'a'), record(1, 11, 'a')]
    expect(membersOf([...twice, record(2, 20, 'a'), record(3, 30, 'a')])).toEqual(['2:20 3:30'])
    // 20 and 40 share no key: only the two records at 1 connect them.
    const chain = [record(1, 10, 'a', 'b'), record(1, 11, 'b', 'c')]
    expect(membersOf([...chain, record(2, 20, 'a'), record(3, 30, 'a'), record(4, 40, 'c')])).toEqual(['2:20 3:30'])
    const six = Array.from({ length: 5 }, (_, n) => record(n + 2, n, 'a'))
    expect(membersOf([...twice, ...six])).toEqual([])
  })

  it('are known at five pharmacies at most', () => {
    const at = (count: number) => Array.from({ length: count }, (_, n) => record(n + 1, n, 'a'))
    expect(membersOf(at(MOST_PHARMACIES))).toHaveLength(1)
    expect(membersOf(at(MOST_PHARMACIES + 1))).toEqual([])
  })

  it('separate again when their keys do', () => {
    const [one, other] = [record(1, 10, 'a'), record(2, 20, 'a')]
    expect(membersOf([one, other])).toEqual(['1:10 2:20'])
    expect(membersOf([one, { ...other, keys: ['b'] }])).toEqual([])
  })

  it('do not depend on the order of records, with each record in at most one person and each pharmacy once', () => {
    const records = fc.uniqueArray(
      fc.record({
        location: fc.integer({ min: 1, max: 4 }),
        patient: fc.nat(6),
        keys: fc.uniqueArray(fc.constantFrom(...'abcdefgh'), { maxLength: 3 }),
      }),
      { maxLength: 12, selector: ({ location, patient }) => `${location}:${patient}` },
    )
    fc.assert(
      fc.property(records, fc.nat(), (all, turn) => {
        const at = all.length === 0 ? 0 : turn % all.length
        const people = sharedPeople(all)
        expect(sharedPeople([...all.slice(at), ...all.slice(0, at)].reverse())).toEqual(people)
        const members = people.flatMap((one) => one.records)
        expect(new Set(members).size).toBe(members.length)
        for (const { records: own } of people) expect(new Set(own.map((one) => one.location)).size).toBe(own.length)
      }),
    )
  })

  it('have every set of two or more of their pharmacies', () => {
    expect(pharmacySets([1, 2, 3])).toEqual([
      [1, 2],
      [1, 3],
      [2, 3],
      [1, 2, 3],
    ])
  })
})
