import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CHANNELS, CONSENT_KINDS, type ConsentEvent, consentOf } from './consent.ts'
import { choiceText, consentAsOf, entryText, sourceText } from './consent-as-of.ts'

const YES = {
  health_outreach_sms_consent: true,
  health_outreach_email_consent: null,
  marketing_sms_consent: true,
  marketing_email_consent: false,
}
const of = (log: ConsentEvent[], at: number) =>
  consentAsOf(log, at).map(({ choice, entry, since }) => [choice, entry, since])
const NOTHING = ['unknown', null, null]

describe('a person’s choice at an instant', () => {
  const log: ConsentEvent[] = [
    { id: 'start', at: 30, type: 'start' },
    { id: 'form', at: 10, type: 'form', answers: YES },
    { id: 'stop', at: 20, type: 'stop' },
    { id: 'import', at: 40, type: 'import_opt_out', channel: 'email' },
    { id: 'again', at: 50, type: 'form', answers: YES },
  ]

  it('is unknown before the first entry, and includes an entry of that very instant', () => {
    expect(of(log, 9)).toEqual([NOTHING, NOTHING, NOTHING, NOTHING])
    expect(of(log, 10)).toEqual([['in', 'form', 'form'], ['in', 'form', 'form'], NOTHING, ['out', 'form', 'form']])
  })

  it('begins with START after a STOP, by the words of the form it restores', () => {
    expect(of(log, 20).slice(0, 2)).toEqual(Array(2).fill(['out', 'stop', 'stop']))
    expect(of(log, 30).slice(0, 2)).toEqual(Array(2).fill(['in', 'form', 'start']))
  })

  it('begins with the first of several equal entries, by the words of the newest', () => {
    expect(of(log, 50)).toEqual([
      ...Array(2).fill(['in', 'again', 'start']),
      ['out', 'import', 'import'],
      ['out', 'again', 'form'],
    ])
  })

  it('equals the replay of the log, at any instant and in any order of arrival', () => {
    const event = fc.oneof(
      fc.record({ type: fc.constantFrom('stop' as const, 'start' as const, 'unsubscribe' as const) }),
      fc.record({ type: fc.constant('import_opt_out' as const), channel: fc.constantFrom(...CHANNELS) }),
      fc.record({
        type: fc.constant('form' as const),
        answers: fc.constantFrom(YES, { ...YES, marketing_sms_consent: false }),
      }),
    )
    fc.assert(
      fc.property(fc.array(event, { maxLength: 12 }), fc.nat(13), (events, asOf) => {
        const log = events.map((one, at) => ({ ...one, id: `e${at}`, at }))
        const choices = consentAsOf(log.toReversed(), asOf)
        for (const { channel, kind, choice, entry, since } of choices) {
          const cell = consentOf(log, asOf)[channel][kind]
          expect([choice, entry]).toEqual([cell.choice, cell.entry])
          const from = log.find(({ id }) => id === since)?.at ?? 0
          for (let at = from; at <= asOf; at++) expect(consentOf(log, at)[channel][kind].choice).toBe(choice)
          if (since) expect(consentOf(log, from - 1)[channel][kind].choice).not.toBe(choice)
        }
        expect(choices).toHaveLength(CHANNELS.length * CONSENT_KINDS.length)
      }),
    )
  })
})

describe('an entry in words', () => {
  const at = { id: 'x', at: 0 }
  it('says what the person did, and where it came from', () => {
    expect(entryText({ ...at, type: 'form', answers: YES })).toBe(
      'Answered the consent form: SMS health outreach Yes, SMS marketing Yes, Email marketing No',
    )
    const others: ConsentEvent[] = [
      { ...at, type: 'stop' },
      { ...at, type: 'start' },
      { ...at, type: 'unsubscribe' },
      { ...at, type: 'import_opt_out', channel: 'email' },
    ]
    expect(others.map(entryText)).toEqual([
      ...['Stopped all SMS', 'Sent START, which undoes a STOP', 'Stopped all email', 'Marked as opted out of email'],
    ])
    expect(['upload', 'a new one'].map(sourceText)).toEqual(['Dispensing system, by upload', 'a new one'])
  })

  it('says what silence allows', () => {
    expect(choiceText('unknown', 'marketing')).toBe('No answer, so not allowed')
    expect(choiceText('unknown', 'health_outreach')).toBe('No answer, so allowed until they say no')
    expect([choiceText('in', 'marketing'), choiceText('out', 'marketing')]).toEqual(['Agreed', 'Said no'])
  })
})
