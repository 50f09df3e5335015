import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  allowedText,
  countHeldBack,
  HELD_REASONS,
  heldReason,
  holdBack,
  LATER_REASONS,
  type Recipient,
  reasonText,
  whyText,
} from './held-back.ts'

const fine: Recipient = {
  consent: 'allowed',
  contact: '+61400000001',
  contactValid: true,
  deceased: false,
  facility: false,
  capped: false,
  alreadyContacted: false,
  testPatient: false,
}
const worst: Recipient = {
  consent: 'no_consent',
  contact: null,
  contactValid: false,
  deceased: true,
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
      { deceased: false },
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

  test('a patient who is held back does not block the number for the next', () => {
    expect(holdBack([{ ...fine, deceased: true }, fine, fine, { ...fine, contact: '+61400000002' }])).toEqual([
      'deceased',
      null,
      'duplicate_contact',
      null,
    ])
    expect(holdBack([{ ...fine, testPatient: true }, fine])).toEqual(['test_patient', null])
  })

  test('every reason has a label', () => {
    for (const channel of ['sms', 'email'] as const) {
      const words = [...HELD_REASONS, ...LATER_REASONS].map((reason) => reasonText(reason, channel))
      expect(new Set(words).size).toBe(HELD_REASONS.length + LATER_REASONS.length)
    }
    expect(reasonText('no_contact', 'email')).toBe('No email address')
    expect(reasonText('no_consent', 'email')).toBe('No consent to email')
    expect(whyText('no_contact', 'sms')).toBe('No mobile number')
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

  test('property: selected = will receive + the reasons, and no contact gets two', () => {
    const recipient = fc.record<Recipient>({
      consent: fc.constantFrom('allowed', 'allowed', 'no_consent', 'opted_out'),
      contact: fc.constantFrom('a', 'b', 'c', null),
      contactValid: fc.boolean(),
      deceased: fc.boolean(),
      facility: fc.boolean(),
      capped: fc.boolean(),
      alreadyContacted: fc.boolean(),
      testPatient: fc.boolean(),
    })
    const some = recipient.map((item) => ({ ...fine, contact: item.contact }))
    fc.assert(
      fc.property(fc.array(fc.oneof(recipient, some)), (people) => {
        const reasons = holdBack(people)
        const ledger = countHeldBack(reasons)
        expect(ledger.selected).toBe(people.length)
        expect(ledger.willReceive + ledger.heldBack).toBe(people.length)
        expect(Object.values(ledger.reasons).reduce((sum, count) => sum + count, 0)).toBe(ledger.heldBack)
        const reached = people.filter((_, index) => reasons[index] === null).map((person) => person.contact)
        expect(new Set(reached).size).toBe(reached.length)
        expect(reached).not.toContain(null)
        // A duplicate shares its contact with a patient who receives.
        people.forEach((person, index) => {
          if (reasons[index] === 'duplicate_contact') expect(reached).toContain(person.contact)
        })
      }),
    )
  })
})
