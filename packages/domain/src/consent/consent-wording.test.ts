import { describe, expect, test } from 'vitest'
import { agreedText, consentWording, endedWords, unsubscribedText } from './consent-wording.ts'

const P = 'Harbour Street Pharmacy'
const both = { health_outreach: true, marketing: true }

describe('the words of the consent page', () => {
  test('the intro depends on the kinds that apply', () => {
    const intros = [both, { ...both, marketing: false }, { ...both, health_outreach: false }].map(
      (applies) => consentWording(P, applies).intro,
    )
    expect(new Set(intros).size).toBe(3)
    for (const intro of intros) expect(intro).toContain(P)
    expect(intros[1]).not.toContain('offers')
    expect(intros[2]).not.toContain('reminders')
  })
  test('only kinds that apply have a section, each in the specification’s words', () => {
    expect(consentWording(P, both).sections).toMatchObject([
      { question: 'What is Health Outreach?', sms: 'SMS Health Outreach', email: 'Email Health Outreach' },
      { question: 'What is Marketing?', sms: 'SMS Marketing', email: 'Email Marketing' },
    ])
    expect(consentWording(P, { ...both, marketing: false }).sections.map((one) => one.kind)).toEqual([
      'health_outreach',
    ])
  })
  test('the record has the full page text and each answer, but no question that was not asked', () => {
    const applies = { health_outreach: true, marketing: false }
    const wording = consentWording(P, applies)
    const text = agreedText(wording, {
      health_outreach_sms_consent: true,
      health_outreach_email_consent: false,
      marketing_sms_consent: null,
      marketing_email_consent: null,
    })
    for (const part of [wording.intro, wording.final, wording.sections[0]!.answer]) expect(text).toContain(part)
    expect(text).toContain('SMS Health Outreach: Yes\nEmail Health Outreach: No')
    expect(text).not.toContain('Marketing')
    const yes = { health_outreach_sms_consent: true, health_outreach_email_consent: true }
    const no = { marketing_sms_consent: false, marketing_email_consent: false }
    const all = agreedText(consentWording(P, both), { ...yes, ...no })
    expect(all.match(/^(?:SMS|Email) .+: (?:Yes|No)$/gm)).toEqual([
      ...['SMS Health Outreach: Yes', 'Email Health Outreach: Yes', 'SMS Marketing: No', 'Email Marketing: No'],
    ])
  })
})

test('the unsubscribe text names the pharmacy and what stops', () => {
  expect(unsubscribedText(P, 'email')).toBe(
    [
      'Unsubscribe from Pharmacy Email Communications',
      `I agree to unsubscribe from all email from ${P}, including:`,
      '- prescription reminders',
      '- clinical trial invitations',
      '- marketing promotions',
    ].join('\n'),
  )
})

test('a link in a text stops texts, and says so', () => {
  expect(unsubscribedText(P, 'sms')).toBe(
    [
      'Unsubscribe from Pharmacy SMS Communications',
      `I agree to unsubscribe from all SMS from ${P} to my number, including:`,
      '- prescription reminders',
      '- clinical trial invitations',
      '- marketing promotions',
    ].join('\n'),
  )
  expect([endedWords('sms'), endedWords('email')]).toEqual(['SMS communications', 'email communications'])
})
