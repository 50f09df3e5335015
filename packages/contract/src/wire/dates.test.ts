import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { dateField } from '../campaign/cohort.ts'
import { everyCall } from '../every-call.ts'
import { dayInput, instantInput } from './dates.ts'
import { issueSentence } from './wording.ts'

const fields = everyCall.flatMap(({ name, call }) =>
  Object.entries((call.input as Partial<z.ZodObject>).shape ?? {}).map(([field, schema]) => ({
    name: `${name} ${field}`,
    takes: (value: unknown) => z.safeParse(schema, value).success,
  })),
)
const [DAY, INSTANT] = ['2026-10-01', '2026-10-01T09:00:00Z']
/** A date field rejects text; a text field takes anything. */
const isDate = ({ takes }: (typeof fields)[number]) => !takes('text') && (takes(DAY) || takes(INSTANT))

describe('every field of a call that takes a date', () => {
  it('is found', () => {
    expect(fields.filter(isDate).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['runAdmin.info start_date', 'audit.search from', 'user.edit dob']),
    )
  })

  it.each([
    '0000-01-01',
    '0999-12-31',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59-10:00',
    '2026-10-01T00:00:00+23:59',
    '2026-10-01T00:00:00+16:00',
    '9999-12-31T23:59:59Z',
    '1000-01-01T00:00:00Z',
  ])('refuses %s, which the database or the calendar cannot store', (odd) => {
    expect(fields.filter((one) => isDate(one) && one.takes(odd)).map(({ name }) => name)).toEqual([])
  })
})

describe('a date as it is sent', () => {
  it('accepts the days and instants people mean', () => {
    for (const day of ['1000-01-01', '1936-02-29', DAY, '9999-12-31']) expect(dayInput.parse(day)).toBe(day)
    for (const at of [INSTANT, '2026-10-01T09:00:00.000Z', '2026-10-01T09:00:00+10:30', '2026-10-01T00:00:00+15:59'])
      expect(instantInput.parse(at)).toBe(at)
  })

  it('may have a blank between day and time, as the start and end of a campaign are sent by older clients', () => {
    for (const [sent, kept] of [
      ['2026-10-01 00:00:00', '2026-10-01T00:00:00'],
      ['2026-10-31 23:59:59', '2026-10-31T23:59:59'],
    ])
      expect(dateField.parse(sent)).toBe(kept)
    for (const odd of ['2026-02-30 00:00:00', '2026-10-01 9:00', '2026-10-01  00:00:00', ' 2026-10-01'])
      expect(dateField.safeParse(odd).success).toBe(false)
  })

  it('says what to enter', () => {
    const words = (schema: z.ZodType, value: unknown) =>
      z.object({ start_date: schema }).safeParse({ start_date: value }, { error: issueSentence }).error?.issues[0]
        ?.message
    expect(words(dayInput, '0000-01-01')).toBe('Start date: please enter a date such as 2026-11-20.')
    expect(words(dayInput, '2026-02-30')).toBe('Start date: please enter a date such as 2026-11-20.')
    expect(words(instantInput, '0000-01-01T00:00:00Z')).toBe(
      'Start date: please enter a date and time such as 2026-11-20T09:00:00Z.',
    )
  })
})
