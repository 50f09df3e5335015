import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  CHANNELS,
  type Channel,
  CONSENT_KINDS,
  type Consent,
  type ConsentEvent,
  type ConsentForm,
  type ConsentKind,
  consentOf,
  formDefaults,
  NO_CONSENT,
  permissionFor,
  startReportedBefore,
} from './consent.ts'

const form = (answers: Partial<ConsentForm>): ConsentForm => ({
  health_outreach_sms_consent: null,
  health_outreach_email_consent: null,
  marketing_sms_consent: null,
  marketing_email_consent: null,
  ...answers,
})
const signUp = (at: number, answers: Partial<ConsentForm> = { marketing_sms_consent: true }): ConsentEvent => ({
  id: `form${at}`,
  at,
  type: 'form',
  answers: form(answers),
})
const stop = (at: number): ConsentEvent => ({ id: `stop${at}`, at, type: 'stop' })
const start = (at: number): ConsentEvent => ({ id: `start${at}`, at, type: 'start' })
/** The log entry that decides whether a kind of message is allowed. */
const allowingEntry = (kind: ConsentKind, channel: Channel, consent: Consent) => consent[channel][kind].entry
const running = { active: true, ethicsApproved: true }

describe('consent per kind', () => {
  test('without any entries, outreach is sent and marketing is not', () => {
    expect(permissionFor('health_outreach', 'sms', NO_CONSENT)).toBe('allowed')
    expect(permissionFor('marketing', 'sms', NO_CONSENT)).toBe('no_consent')
    expect(allowingEntry('health_outreach', 'sms', NO_CONSENT)).toBeNull()
  })

  test('a trial invitation needs no outreach opt-out and an active approved trial', () => {
    expect(permissionFor('trial', 'sms', NO_CONSENT, running)).toBe('allowed')
    expect(permissionFor('trial', 'sms', NO_CONSENT, { ...running, active: false })).toBe('no_consent')
    expect(permissionFor('trial', 'sms', NO_CONSENT, { ...running, ethicsApproved: false })).toBe('no_consent')
    expect(permissionFor('trial', 'sms', NO_CONSENT)).toBe('no_consent')
    expect(permissionFor('trial', 'sms', consentOf([stop(1)]), running)).toBe('opted_out')
  })

  test('the form sets only what it asked, with the specified defaults', () => {
    const consent = consentOf([signUp(1, { marketing_sms_consent: true, health_outreach_email_consent: false })])
    expect(permissionFor('marketing', 'sms', consent)).toBe('allowed')
    expect(allowingEntry('marketing', 'sms', consent)).toBe('form1')
    expect(permissionFor('marketing', 'email', consent)).toBe('no_consent')
    expect(permissionFor('health_outreach', 'email', consent)).toBe('opted_out')
    expect(permissionFor('health_outreach', 'sms', consent)).toBe('allowed')
    expect(formDefaults({ health_outreach: true, marketing: false })).toEqual({
      health_outreach_sms_consent: true,
      health_outreach_email_consent: true,
      marketing_sms_consent: null,
      marketing_email_consent: null,
    })
    // Nobody agrees to marketing by leaving the form as it is.
    expect(formDefaults({ health_outreach: false, marketing: true })).toEqual({
      health_outreach_sms_consent: null,
      health_outreach_email_consent: null,
      marketing_sms_consent: false,
      marketing_email_consent: false,
    })
  })
})

describe('opting out', () => {
  test('STOP stops texts of all kinds, not email; unsubscribing does the opposite', () => {
    const stopped = consentOf([signUp(1, { marketing_sms_consent: true, marketing_email_consent: true }), stop(2)])
    expect(CONSENT_KINDS.map((kind) => permissionFor(kind, 'sms', stopped))).toEqual(['opted_out', 'opted_out'])
    expect(CONSENT_KINDS.map((kind) => permissionFor(kind, 'email', stopped))).toEqual(['allowed', 'allowed'])
    const gone = consentOf([{ id: 'u', at: 1, type: 'unsubscribe' }])
    expect(CONSENT_KINDS.map((kind) => permissionFor(kind, 'email', gone))).toEqual(['opted_out', 'opted_out'])
    expect(CONSENT_KINDS.map((kind) => permissionFor(kind, 'sms', gone))).toEqual(['allowed', 'no_consent'])
  })

  test('START restores only what STOP closed', () => {
    expect(permissionFor('marketing', 'sms', consentOf([signUp(1), stop(2), stop(3), start(4)]))).toBe('allowed')
    expect(permissionFor('marketing', 'sms', consentOf([stop(2), start(4)]))).toBe('no_consent')
    expect(permissionFor('health_outreach', 'sms', consentOf([stop(2), start(4)]))).toBe('allowed')
    const refused = [signUp(1, { marketing_sms_consent: false }), stop(2), start(3)]
    expect(permissionFor('marketing', 'sms', consentOf(refused))).toBe('opted_out')
    const imported: ConsentEvent = { id: 'i', at: 3, type: 'import_opt_out', channel: 'sms' }
    expect(permissionFor('health_outreach', 'sms', consentOf([stop(2), imported, start(4)]))).toBe('opted_out')
  })

  test('a START may repeat the newest one of the last 24 hours, if a STOP followed that', () => {
    const hours = (n: number) => n * 3_600_000
    const before = (...log: ConsentEvent[]) => startReportedBefore(log, hours(30))?.at
    expect(before(stop(hours(29)))).toBeUndefined()
    expect(before(stop(hours(28)), start(hours(29)))).toBeUndefined()
    expect(before(stop(hours(29)), start(hours(6)), start(hours(5)))).toBe(hours(6))
    expect(before(start(hours(6) - 1), stop(hours(29)))).toBeUndefined()
  })

  test('at the same instant the opt-out takes precedence', () => {
    expect(permissionFor('marketing', 'sms', consentOf([stop(5), signUp(5)]))).toBe('opted_out')
    expect(permissionFor('health_outreach', 'sms', consentOf([start(5), stop(5)]))).toBe('opted_out')
    const first: ConsentEvent = { id: 'a', at: 5, type: 'stop' }
    expect(permissionFor('marketing', 'sms', consentOf([first, signUp(5)]))).toBe('opted_out')
    expect(permissionFor('marketing', 'sms', consentOf([signUp(1), first, start(5)]))).toBe('opted_out')
  })

  test('of two forms of one instant the one recorded later counts, whichever comes first out of the database', () => {
    const form = (id: string, yes: boolean): ConsentEvent => ({
      ...{ id, at: 5, type: 'form' },
      answers: {
        ...{ health_outreach_sms_consent: yes, health_outreach_email_consent: yes },
        ...{ marketing_sms_consent: yes, marketing_email_consent: yes },
      },
    })
    for (const [earlier, later] of [
      ['8', '9'],
      ['9', '10'],
      ['199', '1000'],
    ] as const) {
      const log = [form(earlier, true), form(later, false)]
      for (const entries of [log, log.toReversed()])
        expect(permissionFor('marketing', 'sms', consentOf(entries))).toBe('opted_out')
    }
  })

  test('replay: consent on a past day can be reconstructed', () => {
    const log = [signUp(1), stop(10)]
    expect(permissionFor('marketing', 'sms', consentOf(log, 9))).toBe('allowed')
    expect(allowingEntry('marketing', 'sms', consentOf(log, 9))).toBe('form1')
    expect(permissionFor('marketing', 'sms', consentOf(log, 10))).toBe('opted_out')
  })
})

/** The same table computed differently: walk back from the newest entry about this channel and kind. */
function says(log: readonly ConsentEvent[], channel: Channel, kind: ConsentKind): 'in' | 'out' | 'unknown' {
  let liftedStops = false
  for (const event of [...log].reverse()) {
    if (event.type === 'form') {
      const answer = event.answers[`${kind}_${channel}_consent`]
      if (answer !== null) return answer ? 'in' : 'out'
    }
    if (channel === 'email' && event.type === 'unsubscribe') return 'out'
    if (event.type === 'import_opt_out' && event.channel === channel) return 'out'
    if (channel === 'sms' && event.type === 'start') liftedStops = true
    if (channel === 'sms' && event.type === 'stop' && !liftedStops) return 'out'
  }
  return 'unknown'
}

describe('properties', () => {
  const answer = fc.constantFrom(true, false, null)
  const body = fc.oneof(
    fc.record({
      type: fc.constant('form' as const),
      answers: fc.record<ConsentForm>({
        health_outreach_sms_consent: answer,
        health_outreach_email_consent: answer,
        marketing_sms_consent: answer,
        marketing_email_consent: answer,
      }),
    }),
    fc.record({ type: fc.constantFrom('stop' as const, 'start' as const, 'unsubscribe' as const) }),
    fc.record({ type: fc.constant('import_opt_out' as const), channel: fc.constantFrom(...CHANNELS) }),
  )
  const history = fc
    .array(body, { maxLength: 12 })
    .map((list) => list.map((event, index): ConsentEvent => ({ ...event, id: `e${index}`, at: index })))

  test('no history allows a send that the table forbids', () => {
    fc.assert(
      fc.property(history, fc.boolean(), fc.boolean(), (log, active, ethicsApproved) => {
        const consent = consentOf(log)
        for (const channel of CHANNELS) {
          const outreach = says(log, channel, 'health_outreach')
          const marketing = says(log, channel, 'marketing')
          const allowed = (purpose: 'health_outreach' | 'marketing' | 'trial') =>
            permissionFor(purpose, channel, consent, { active, ethicsApproved }) === 'allowed'
          expect(allowed('marketing')).toBe(marketing === 'in')
          expect(allowed('health_outreach')).toBe(outreach !== 'out')
          expect(allowed('trial')).toBe(outreach !== 'out' && active && ethicsApproved)
          // Marketing always refers to the form that allowed it.
          if (allowed('marketing')) {
            const entry = log.find((event) => event.id === allowingEntry('marketing', channel, consent))
            expect(entry?.type).toBe('form')
          }
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('the order of arrival and repeated opt-outs make no difference', () => {
    fc.assert(
      fc.property(history, (log) => {
        expect(consentOf([...log].reverse())).toEqual(consentOf(log))
        const stopped = consentOf([...log, stop(100)])
        expect(consentOf([...log, stop(100), stop(101)])).toEqual(stopped)
        for (const kind of CONSENT_KINDS) expect(permissionFor(kind, 'sms', stopped)).toBe('opted_out')
      }),
    )
  })
})
