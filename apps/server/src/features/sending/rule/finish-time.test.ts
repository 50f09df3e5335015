import { expect, it } from 'vitest'
import { finishTime } from './finish-time.ts'

const MINUTE = 1 / 60

/**
 * When this many messages have been sent, one a minute, from one to half past two at night, starting in the night when Sydney's clocks go
 * back.
 */
function finish(messages: number, perSecond = MINUTE) {
  const calendar = { zone: 'Australia/Sydney', holidays: new Set<number>() }
  const night = [60, 150] as const
  const hours = { week: [night, night, night, night, night, night, night] as const, holidaysQuiet: true }
  return finishTime([{ calendar, hours, messages }], perSecond, new Date('2027-04-03T14:00:00Z'))?.toISOString()
}

it.each([
  ['before the hour that comes twice', 60, '2027-04-03T15:00:00.000Z'],
  ['until half past two, for the first time', 90, '2027-04-03T15:30:00.000Z'],
  ['in the half hour that comes again', 110, '2027-04-03T16:20:00.000Z'],
  ['until half past two, for the second time', 120, '2027-04-03T16:30:00.000Z'],
  ['in the night after', 130, '2027-04-04T15:10:00.000Z'],
])('messages that leave %s (%i) are forecast so', (_when, messages, end) => {
  expect(finish(messages)).toBe(end)
})

it('without a rate nobody knows when messages have been sent: only the gateway decides', () => {
  expect(finish(1, Number.POSITIVE_INFINITY)).toBeUndefined()
  expect(finish(0, Number.POSITIVE_INFINITY)).toBe('2027-04-03T14:00:00.000Z')
})
