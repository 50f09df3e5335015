import { describe, expect, it } from 'vitest'
import { shownReach } from './reach.ts'

const month = (
  sms: number,
  email: number,
  reach: number,
  places: readonly [number, number, number] = [3, 3, 3],
  [sms_people, email_people]: readonly [number, number] = [Math.min(sms, reach), Math.min(email, reach)],
) => {
  const [pharmacies, sms_pharmacies, email_pharmacies] = places
  return shownReach({ sms, email, reach, sms_people, email_people, pharmacies, sms_pharmacies, email_pharmacies })
}
const HIDDEN = { sms: null, email: null, reach: null }

describe('the messages of a month on a board', () => {
  it('are shown by channel if enough people of enough pharmacies got them', () => {
    expect(month(30, 24, 40)).toEqual({ sms: 30, email: 24, reach: 40 })
    expect(month(30, 0, 30, [3, 3, 0])).toEqual({ sms: 30, email: 0, reach: 30 })
  })

  it('are hidden if fewer than ten people of three pharmacies were reached', () => {
    expect(month(12, 12, 9)).toEqual(HIDDEN)
    expect(month(12, 12, 10)).toEqual({ sms: 12, email: 12, reach: 10 })
    expect(month(30, 24, 40, [2, 2, 2])).toEqual(HIDDEN)
  })

  it('are shown only in total if a channel is too small, in messages or in pharmacies', () => {
    expect(month(30, 2, 30)).toEqual({ ...HIDDEN, reach: 30 })
    expect(month(9, 30, 30)).toEqual({ ...HIDDEN, reach: 30 })
    expect(month(30, 30, 45, [4, 4, 2])).toEqual({ ...HIDDEN, reach: 45 })
  })

  it('are shown only in total if few people got many messages of a channel', () => {
    // Twelve texts to three of the twenty people who got email.
    expect(month(12, 40, 20, [3, 3, 3], [3, 20])).toEqual({ ...HIDDEN, reach: 20 })
    expect(month(40, 40, 30, [3, 3, 3], [30, 25])).toEqual({ ...HIDDEN, reach: 30 })
    expect(month(40, 40, 30, [3, 3, 3], [30, 20])).toEqual({ sms: 40, email: 40, reach: 30 })
  })

  it('do not reveal by subtraction how few had only one channel', () => {
    expect(month(30, 28, 32)).toEqual({ ...HIDDEN, reach: 32 })
    expect(month(40, 45, 45)).toEqual({ ...HIDDEN, reach: 45 })
    expect(month(45, 45, 45)).toEqual({ sms: 45, email: 45, reach: 45 })
    expect(month(31, 31, 32)).toEqual({ ...HIDDEN, reach: 32 })
    // Of 32 people, 20 got 28 texts. The number of messages shown is close to the number of people, so readers would take it for the rest.
    expect(month(28, 40, 32, [3, 3, 3], [20, 20])).toEqual({ ...HIDDEN, reach: 32 })
  })
})
