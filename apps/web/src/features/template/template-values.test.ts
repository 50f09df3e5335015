import { contract } from '@pillar/contract'
import { togglesOf } from '@pillar/domain/campaign/campaign-rule'
import { describe, expect, it } from 'vitest'
import { problemsIn } from '../../kit/form/problems.ts'
import { EMPTY, kindWords, offerWords, problemsOf, valuesOf, wireOf } from './template-values.ts'

const good = { ...EMPTY, name: 'Repeat ready', body: 'Hi {First Name}, call {Pharmacy Name}.' }
const checked = (values: typeof EMPTY) => problemsIn(values, problemsOf, contract.template.create.input, wireOf(values))

describe('a template being written', () => {
  it('gives what is missing in the specification’s words, and beside each field', () => {
    const found = checked({ ...EMPTY, type: null })
    expect(found?.sentence).toBe(
      'Please enter a template name, select at least one template type, enter a message body, and include {Pharmacy Name} in the message body.',
    )
    expect(found?.errors).toEqual({
      name: 'Enter a template name',
      type: 'Select at least one template type',
      body: 'Enter a message body',
    })
    expect(checked(good)).toBeNull()
  })

  it('shows problems with the subject beside it, and only if an email is sent', () => {
    const values = { ...good, subject: 'For {Nobody}' }
    expect(checked(values)).toBeNull()
    expect(checked({ ...values, type: 'both' })?.errors).toEqual({
      subject: 'Replace {Nobody} in the subject with a field from the list',
    })
  })

  it('reports text that is too long to store', () => {
    expect(
      checked({ ...good, type: 'email', subject: 's', body: `{Pharmacy Name} ${'b'.repeat(20_000)}` })?.errors,
    ).toEqual({
      body: 'Body: please use at most 20,000 characters.',
    })
    expect(checked({ ...good, type: 'email', subject: 's'.repeat(301) })?.errors).toHaveProperty('subject')
  })

  it('sends a subject only with an email', () => {
    expect(wireOf({ ...good, subject: 'Ready' }).subject).toBeNull()
    expect(wireOf({ ...good, type: 'both', subject: ' Ready ' }).subject).toBe('Ready')
    expect(wireOf({ ...good, type: 'email', subject: ' ' }).subject).toBeNull()
  })

  it('starts from the saved values', () => {
    const saved = { ...wireOf(good), name: 'Repeat ready', body: good.body, subject: null }
    const toggles = { sms_template: true, email_template: true, message_kind: 'marketing' as const }
    expect(valuesOf({ ...saved, ...toggles, version: 3 })).toEqual({
      ...good,
      type: 'both',
      message_kind: 'marketing',
      version: 3,
    })
    for (const type of ['sms', 'email', null] as const)
      expect(valuesOf({ ...saved, ...toggles, ...togglesOf(type) }).type).toBe(type)
  })
})

describe('the kind of a message', () => {
  it('says who receives it', () => {
    expect(kindWords('health_outreach')).toContain('Everyone who has not opted out receives it.')
    expect(kindWords('marketing')).toContain('Only patients who agreed to marketing receive it.')
    expect(kindWords('')).toBe('')
  })

  it('warns about an offer in a message of health outreach, but not in marketing', () => {
    const offer = { ...EMPTY, subject: '', body: 'Vitamins are 20% off this week' }
    expect(offerWords(offer)).toBe(
      '“20% off” reads like an offer. By law an offer is marketing, whatever the template is called.',
    )
    expect(offerWords({ ...offer, message_kind: 'marketing' })).toBeNull()
    expect(offerWords({ ...offer, body: 'Your repeat is due' })).toBeNull()
    expect(offerWords({ ...offer, subject: 'Our specials', body: 'Come in' })).toContain('“specials”')
  })
})
