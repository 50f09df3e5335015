import { describe, expect, it } from 'vitest'
import { draftOf, EMPTY_DRAFT, fieldProblems, firstWrong, problemOf, sameDraft, wireOf } from './template-draft.ts'

const good = { ...EMPTY_DRAFT, name: 'Repeat ready', body: 'Hi {First Name}, call {Pharmacy Name}.' }

describe('a template being written', () => {
  it('says what is missing as the specification does, and goes to the first of it', () => {
    const empty = { ...EMPTY_DRAFT, sms: false }
    expect(problemOf(empty)).toBe(
      'Please enter a template name, select at least one template type, enter a message body, and include {Pharmacy Name} in the message body.',
    )
    expect(firstWrong(fieldProblems(empty))).toBe('name')
    expect(firstWrong(fieldProblems({ ...good, body: 'Hello' }))).toBe('body')
    expect(fieldProblems(good)).toEqual({})
    expect(problemOf(good)).toBe('')
  })

  it('has a problem beside a field exactly when the sentence has one', () => {
    const drafts = [
      good,
      { ...good, name: ' ' },
      { ...good, sms: false },
      { ...good, body: '' },
      { ...good, body: '{Pharmacy Name} {Frist}' },
      { ...good, email: true, subject: '{Nonsense}' },
      { ...good, email: false, subject: '{Nonsense}' },
      { ...good, email: true, subject: 's'.repeat(301) },
      { ...good, body: `{Pharmacy Name} ${'b'.repeat(20_000)}` },
    ]
    for (const draft of drafts) expect(firstWrong(fieldProblems(draft)) === null).toBe(problemOf(draft) === '')
  })

  it('says what is too long to be kept', () => {
    const long = { ...good, body: `{Pharmacy Name} ${'b'.repeat(20_000)}` }
    expect(problemOf(long)).toBe('Please shorten the message to 20,000 characters.')
    expect(fieldProblems(long)).toEqual({ body: 'Shorten the message to 20,000 characters' })
  })

  it('sends a subject only with an e-mail', () => {
    expect(wireOf({ ...good, subject: 'Ready' }).subject).toBeNull()
    expect(wireOf({ ...good, email: true, subject: ' Ready ' }).subject).toBe('Ready')
    expect(wireOf({ ...good, email: true, subject: ' ' }).subject).toBeNull()
  })

  it('is unsaved once something that would be saved differs', () => {
    const kept = draftOf({
      name: good.name,
      subject: null,
      body: good.body,
      sms_template: true,
      email_template: false,
      message_kind: 'health_outreach',
    })
    expect(sameDraft(kept, good)).toBe(true)
    expect(sameDraft(kept, { ...good, subject: 'unseen' })).toBe(true)
    expect(sameDraft(kept, { ...good, kind: 'marketing' })).toBe(false)
  })
})
