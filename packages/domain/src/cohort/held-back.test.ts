import { describe, expect, test } from 'vitest'
import {
  allowedText,
  HELD_REASONS,
  heldReason,
  LATER_REASONS,
  type Recipient,
  reasonText,
  whyText,
  whyTextForPharmacy,
} from './held-back.ts'

const fine: Recipient = {
  consent: 'allowed',
  contact: '+61400000001',
  contactValid: true,
  unreachable: false,
  deceased: false,
  deceasedElsewhere: false,
  facility: false,
  capped: false,
  alreadyContacted: false,
  testPatient: false,
}
const worst: Recipient = {
  consent: 'no_consent',
  contact: null,
  contactValid: false,
  unreachable: true,
  deceased: true,
  deceasedElsewhere: true,
  facility: true,
  capped: true,
  alreadyContacted: true,
  testPatient: true,
}

describe('held back', () => {
  test('each patient has one reason, in order: fixing the first shows the next', () => {
    const cures: Partial<Recipient>[] = [
      { consent: 'opted_out' },
      { consent: 'allowed' },
      { contact: '+61400000001' },
      { contactValid: true },
      { unreachable: false },
      { deceased: false },
      { deceasedElsewhere: false },
      { facility: false },
      { capped: false },
      { alreadyContacted: false },
    ]
    const seen = [heldReason(worst, true)]
    let patient = worst
    for (const cure of cures) {
      patient = { ...patient, ...cure }
      seen.push(heldReason(patient, true))
    }
    expect([...seen, heldReason(patient, false)]).toEqual(HELD_REASONS)
    expect(heldReason(fine, false)).toBeNull()
    expect(heldReason({ ...fine, contact: ' ' }, false)).toBe('no_contact')
  })

  test('every reason has a label', () => {
    for (const channel of ['sms', 'email'] as const) {
      const words = [...HELD_REASONS, ...LATER_REASONS].map((reason) => reasonText(reason, channel))
      expect(new Set(words).size).toBe(HELD_REASONS.length + LATER_REASONS.length)
    }
    expect(reasonText('no_contact', 'email')).toBe('No email address')
    expect(reasonText('contact_changed', 'sms')).toBe('Mobile number changed before sending')
    expect(reasonText('no_consent', 'email')).toBe('No consent to email')
    expect(whyText('no_contact', 'sms')).toBe('No mobile number')
    expect([whyText('no_contact', 'email'), whyText('no_consent', 'email')]).toEqual([
      'No email address',
      'No consent to email',
    ])
    expect(['sms', 'email'].map((channel) => whyText('invalid_contact', channel as 'sms'))).toEqual([
      'Invalid mobile number',
      'Invalid email address',
    ])
    expect(['sms', 'email'].map((channel) => whyText('duplicate_contact', channel as 'sms'))).toEqual([
      'Same mobile as someone already counted',
      'Same email as someone already counted',
    ])
    expect(whyText('deceased_elsewhere', 'sms')).toBe('Recorded as deceased at another pharmacy')
    expect(['deceased', 'deceased_elsewhere'].map((reason) => whyTextForPharmacy(reason, 'sms'))).toEqual([
      ...['Has died', 'Held back by head office'],
    ])
    expect(whyText('Number not in service', 'sms')).toBe('Number not in service')
    expect([whyText(null, 'sms'), whyText('', 'email')]).toEqual(['No reason given', 'No reason given'])
  })

  test('every reason for allowing a message has a label', () => {
    const kinds = ['marketing', 'health_outreach', 'confirmation']
    const words = (agreed: boolean) => kinds.map((kind) => allowedText(kind, agreed))
    expect(words(true).slice(0, 2)).toEqual(['Marketing: agreed to', 'Health outreach: agreed to'])
    expect(words(false)[1]).toBe('Health outreach: nobody has said no')
    expect(words(false)[2]).toBe('Answer to the patient’s own STOP')
  })
})
