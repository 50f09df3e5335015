import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  afterParticipantEvent,
  funnelOf,
  PARTICIPANT_EVENTS,
  PARTICIPANT_STATES,
  type ParticipantEvent,
  type ParticipantState,
  referralRate,
} from './participant.ts'
import { type RebateEntry, type RebateTerms, rebateOf } from './rebate.ts'

const TERMS: RebateTerms = {
  rebate_type: 'refer',
  ...{
    refer_rebate_cents: 2_000,
    sr_refer_rebate_cents: 500,
    enroll_rebate_cents: 10_000,
    sr_enroll_rebate_cents: 2_500,
  },
}

/** Takes one patient through events, as the server does. */
function follow(events: readonly ParticipantEvent[], terms: (at: number) => RebateTerms = () => TERMS) {
  let state = 'eligible' as ParticipantState
  const ledger: RebateEntry[] = []
  events.forEach((event, at) => {
    const next = afterParticipantEvent(state, event)
    if (next === null) return
    state = next
    const entry = rebateOf(event, terms(at), ledger)
    if (entry) ledger.push(entry)
  })
  const sum = (pick: (entry: RebateEntry) => number) => ledger.reduce((total, entry) => total + pick(entry), 0)
  return { state, ledger, cents: sum((entry) => entry.cents), sr: sum((entry) => entry.sr_cents) }
}

describe('a participant', () => {
  test('goes from eligible to enrolled, and opts out at any stage before', () => {
    const table = PARTICIPANT_STATES.map((state) => [
      state,
      PARTICIPANT_EVENTS.map((event) => afterParticipantEvent(state, event)),
    ])
    expect(Object.fromEntries(table)).toEqual({
      // contacted, referred, enrolled, unenrolled, opted_out
      eligible: ['contacted', 'referred', null, null, 'opted_out'],
      contacted: [null, 'referred', null, null, 'opted_out'],
      referred: [null, null, 'enrolled', null, 'opted_out'],
      enrolled: [null, null, null, 'referred', null],
      opted_out: [null, null, null, null, null],
    })
  })
})

describe('rebates, by the domain’s worked examples', () => {
  test('are not paid twice', () => {
    const paid = rebateOf('referred', TERMS, [])!
    expect(paid).toEqual({ kind: 'refer', cents: 2_000, sr_cents: 500 })
    expect(rebateOf('referred', TERMS, [paid])).toBeNull()
  })

  test('what is paid again after it was taken back is taken back again, and not paid a third time while it stands', () => {
    const enroll = () => ({ ...TERMS, rebate_type: 'enroll' as const })
    const begin = ['contacted', 'referred', 'enrolled', 'unenrolled', 'enrolled'] as const
    const once = follow(begin, enroll)
    expect([once.cents, once.sr, once.ledger.length]).toEqual([10_000, 2_500, 3])
    expect(rebateOf('enrolled', enroll(), once.ledger)).toBeNull()
    expect(follow([...begin, 'unenrolled'], enroll)).toMatchObject({ cents: 0, sr: 0 })
    expect(follow([...begin, 'unenrolled', 'enrolled'], enroll)).toMatchObject({ cents: 10_000, sr: 2_500 })
  })

  test('15 referrals at $20 are $300', () => {
    const all = Array.from({ length: 15 }, () => follow(['contacted', 'referred']))
    expect(all.reduce((sum, { cents }) => sum + cents, 0)).toBe(30_000)
    expect(all.reduce((sum, { sr }) => sum + sr, 0)).toBe(7_500)
  })
  test('for 4 enrolments at $100 are $400', () => {
    const enroll = { ...TERMS, rebate_type: 'enroll' as const }
    const all = Array.from({ length: 15 }, (_, at) =>
      follow(at < 4 ? ['contacted', 'referred', 'enrolled'] : ['contacted', 'referred'], () => enroll),
    )
    expect(all.reduce((sum, { cents }) => sum + cents, 0)).toBe(40_000)
  })
  test('for an undone enrolment are reversed at the amount paid, and paid again if it is redone', () => {
    const enroll = { ...TERMS, rebate_type: 'enroll' as const }
    const dearer = { ...enroll, enroll_rebate_cents: 15_000 }
    const back = follow(['referred', 'enrolled', 'unenrolled'], (at) => (at < 2 ? enroll : dearer))
    expect(back.ledger.map((entry) => entry.cents)).toEqual([10_000, -10_000])
    expect([back.state, back.cents, back.sr]).toEqual(['referred', 0, 0])
    const again = follow(['referred', 'enrolled', 'unenrolled', 'enrolled'], (at) => (at < 2 ? enroll : dearer))
    expect(again.ledger.map((entry) => entry.cents)).toEqual([10_000, -10_000, 15_000])
  })
  test('for enrolments pay nothing for referrals, and the other way round', () => {
    expect(follow(['referred', 'enrolled']).ledger).toEqual([{ kind: 'refer', cents: 2_000, sr_cents: 500 }])
    expect(follow(['contacted', 'opted_out']).ledger).toEqual([])
  })
  test('follow the state, whatever the order of events', () => {
    const events = fc.array(fc.constantFrom(...PARTICIPANT_EVENTS), { maxLength: 30 })
    fc.assert(
      fc.property(events, fc.constantFrom('refer' as const, 'enroll' as const), (list, rebate_type) => {
        const { state, cents } = follow(list, () => ({ ...TERMS, rebate_type }))
        const referred = list.includes('referred') && state !== 'eligible' && state !== 'contacted'
        if (rebate_type === 'enroll') expect(cents).toBe(state === 'enrolled' ? 10_000 : 0)
        else if (state === 'referred' || state === 'enrolled') expect(cents).toBe(2_000)
        else if (!referred) expect(cents).toBe(0)
      }),
    )
  })
})

describe('the funnel', () => {
  const at = new Date(0)
  const none = { contacted_at: null, referred_at: null, enrolled_at: null, opted_out_at: null }
  test('counts everybody who ever reached a step', () => {
    const contacted = { ...none, contacted_at: at }
    expect(
      funnelOf([
        none,
        contacted,
        { ...contacted, opted_out_at: at },
        { ...contacted, referred_at: at },
        // Enrolled once and no longer, but the step was reached.
        { ...contacted, referred_at: at, enrolled_at: at },
      ]),
    ).toEqual({ total_eligible: 5, total_contacted: 4, total_referred: 2, total_enrolled: 1, total_optout: 1 })
  })
  test('has a referral rate once somebody was contacted', () => {
    expect(referralRate({ total_contacted: 3_906, total_referred: 214 })).toBeCloseTo(0.0548, 4)
    expect(referralRate({ total_contacted: 0, total_referred: 0 })).toBeNull()
  })
})
