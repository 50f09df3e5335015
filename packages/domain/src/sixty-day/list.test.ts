import { describe, expect, it } from 'vitest'
import { day } from '../time/day.ts'
import { baseOf } from './base.ts'
import { eligibility, feeOn, inShortage, ListFault, readList } from './list.ts'

const item = {
  tranche: '1',
  from: '2023-09-01',
  drug: 'rosuvastatin',
  atc: 'C10AA07',
  sixty_day_code: '13586C',
  thirty_day_codes: '2628H|2609H',
}

describe('a list', () => {
  it('is read with its codes, and finds a drug by item code before ATC code', () => {
    const later = { ...item, tranche: '3', from: '2024-09-01', sixty_day_code: '14394N', thirty_day_codes: '11681T' }
    const find = eligibility(readList('items', [item, later]))
    expect(find('2628h ', null)).toEqual({ tranche: 1, from: day('2023-09-01'), sixtyCode: false })
    expect(find('13586C', null)?.sixtyCode).toBe(true)
    expect(find('11681T', 'C10AA07')?.tranche).toBe(3)
    expect(find('99999Z', 'C10AA07')).toEqual({ tranche: 1, from: day('2023-09-01'), sixtyCode: false })
    expect(find(null, 'N02BE01')).toBeNull()
  })
  it('is refused as a whole, with every line that is wrong', () => {
    const wrong = () =>
      readList('items', [item, { ...item, tranche: 'x', from: '2023-13-01' }, { ...item, sixty_day_code: '1C' }])
    expect(wrong).toThrow(ListFault)
    expect(wrong).toThrow(/Line 3: tranche is a number.*\n?.*/)
    expect(wrong).toThrow(/Line 3: 13586C stands on line 2 already/)
    expect(wrong).toThrow(/Line 4: "1C" is no PBS item code/)
    expect(() => readList('items', [])).toThrow('The list is empty.')
    expect(readList('shortages', [])).toEqual([])
  })
  it('of fees is in cents, and the fee in force on a day applies', () => {
    const row = {
      from: '2024-07-01',
      dispensing_fee: '8.67',
      ahi_fee: '4.79',
      acss_rate: '4.79',
      estimated: 'no',
      source: 'pbs.gov.au',
    }
    const fees = readList('fees', [row, { ...row, from: '2025-07-01', dispensing_fee: '8.88', ahi_fee: '4.35' }])
    expect(feeOn(fees, day('2025-06-30'))).toMatchObject({ dispensing: 867, handling: 479, support: 479 })
    // In JavaScript, 4.35 times 100 is a little below 435.
    expect(feeOn(fees, day('2025-07-01'))).toMatchObject({ dispensing: 888, handling: 435, estimated: false })
    expect(feeOn(fees, day('2020-01-01')).dispensing).toBe(867)
    for (const on of ['2020-01-01', '2025-06-30', '2026-06-30'])
      expect(feeOn(fees.toReversed(), day(on))).toBe(feeOn(fees, day(on)))
    expect(() => readList('fees', [{ ...row, estimated: 'perhaps' }])).toThrow('estimated is yes or no, not "perhaps".')
    expect(() => readList('fees', [{ ...row, dispensing_fee: '8,67', source: '' }])).toThrow(
      /dispensing_fee is an amount/,
    )
  })
  it('of uptake accepts shares up to 1', () => {
    const row = { month: '2026-06', tranche: '1', source: 'pbs.gov.au' }
    expect(readList('uptake', [{ ...row, share: '1' }])).toMatchObject([{ share: 1, tranche: 1 }])
    expect(readList('uptake', [{ ...row, share: '0' }])).toMatchObject([{ share: 0 }])
    expect(() => readList('uptake', [{ ...row, share: '63' }])).toThrow('Line 2: share is from 0 to 1, not "63".')
  })
  it('of shortages matches the active ingredient, with or without its salt', () => {
    expect(inShortage(['metformin'], ['metformin hydrochloride'])).toBe(true)
    expect(inShortage(['Amlodipine', 'atorvastatin'], ['atorvastatin'])).toBe(true)
    expect(inShortage(['metformin'], ['met'])).toBe(false)
    const listed = readList('shortages', [{ ingredient: ' Atorvastatin calcium' }, { ingredient: 'insulin' }])
    expect(listed).toEqual(['atorvastatin calcium', 'insulin'])
    expect(inShortage(['Atorvastatin'], listed)).toBe(true)
    expect(() => readList('shortages', [{ ingredient: ' ' }])).toThrow('ingredient is empty.')
    expect(inShortage(['thiamin'], ['thiamine'])).toBe(false)
    expect(inShortage(['insulin'], ['insulin aspart'])).toBe(true)
  })
})

describe('the base', () => {
  it('is the twelve calendar months before the running one', () => {
    expect(baseOf(day('2026-11-22'), null)).toEqual({ from: day('2025-11-01'), to: day('2026-10-31') })
    expect(baseOf(day('2026-03-01'), null)).toEqual({ from: day('2025-03-01'), to: day('2026-02-28') })
  })
  it('may be pinned to a year before the policy', () => {
    expect(baseOf(day('2026-11-22'), 2022)).toEqual({ from: day('2022-01-01'), to: day('2022-12-31') })
  })
})
