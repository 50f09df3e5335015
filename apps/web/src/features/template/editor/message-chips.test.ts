import { describe, expect, it } from 'vitest'
import { CAMPAIGN_FIELDS, chipRanges, fieldsMatching, insertionOf, pastedText, queryAt } from './message-chips.ts'

describe('chips of a message', () => {
  it('cover each field as a whole, whatever its spelling, and text that is not a field', () => {
    const text = 'Hi {First Name}, {pharmacy_name} {Frist Name}'
    const ranges = chipRanges(text)
    expect(ranges.map(({ label, known }) => [label, known])).toEqual([
      ['First Name', true],
      ['Pharmacy Name', true],
      ['{Frist Name}', false],
    ])
    expect(ranges.map(({ from, to }) => text.slice(from, to))).toEqual([
      '{First Name}',
      '{pharmacy_name}',
      '{Frist Name}',
    ])
  })

  it('count as the editor does after an emoji', () => {
    const text = '🙂 {Last Name}'
    expect(chipRanges(text)).toEqual([{ from: 3, to: 14, label: 'Last Name', known: true }])
  })
})

describe('paste', () => {
  it('inserts plain characters, with fields in their canonical spelling', () => {
    expect(pastedText('“It’s ready” – {first_name}…\r\n&amp; more')).toBe('"It\'s ready" - {First Name}...\n& more')
  })
})

describe('typing a brace', () => {
  it('starts a query from the brace, on its own line', () => {
    expect(queryAt('Hi {', 4)).toEqual({ from: 3, typed: '' })
    expect(queryAt('Hi {Pharm', 9)).toEqual({ from: 3, typed: 'Pharm' })
    expect(queryAt('Hi {\nthere', 10)).toBeNull()
    expect(queryAt('Hi {First Name}', 15)).toBeNull()
    expect(queryAt('Hi {First Name}', 14)).toBeNull()
    expect(queryAt('nothing', 7)).toBeNull()
  })

  it('offers fields that contain the typed words', () => {
    expect(fieldsMatching(CAMPAIGN_FIELDS, 'pharm')).toEqual(['pharmacy_name', 'pharmacy_address', 'pharmacy_number'])
    expect(fieldsMatching(CAMPAIGN_FIELDS, 'name first')).toEqual(['first_name'])
    expect(fieldsMatching(CAMPAIGN_FIELDS, 'zzz')).toEqual([])
  })
})

it('separates a field from the words beside it, but not from spaces or a following full stop', () => {
  expect(insertionOf('first_name', 'Hi', 'there')).toBe(' {First Name} ')
  expect(insertionOf('first_name', 'Hi ', '.')).toBe('{First Name}')
  expect(insertionOf('first_name', '', '')).toBe('{First Name}')
  expect(insertionOf('last_name', '{First Name}', '{Pharmacy Name}')).toBe(' {Last Name} ')
  expect(insertionOf('first_name', '(', ')')).toBe('{First Name}')
})
