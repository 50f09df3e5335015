import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  confirmationOf,
  contactNote,
  isRecall,
  RECALL_TEXT,
  registeredText,
  SIGN_UP_FIELDS,
  type SignUpField,
  signUpOf,
} from './agreement.ts'

const some = fc.option(fc.string(), { nil: null })
const fields = fc.record(
  Object.fromEntries(SIGN_UP_FIELDS.map((field) => [field, some])) as Record<SignUpField, typeof some>,
)

test('what the pharmacy knows stands, whatever is sent; only what is empty on both sides is missing', () => {
  fc.assert(
    fc.property(fields, fields, (known, sent) => {
      const { details, missing } = signUpOf(known, sent)
      for (const field of SIGN_UP_FIELDS) {
        const own = (known[field] ?? '').trim()
        expect(details[field]).toBe(own || (sent[field] ?? '').trim())
        expect(missing.includes(field)).toBe(details[field] === '')
      }
    }),
  )
})

test('the note names who gets the details, except for a survey', () => {
  const page = { trial: 'Heart failure at home', pharmacy: 'Saltbush', recruiter: 'Meridian Trials' }
  expect(contactNote(page)).toContain('Saltbush gives the details above to Meridian Trials')
  expect(contactNote({ ...page, trial: ' Recall ' })).not.toContain('Meridian')
  expect(isRecall('Recall of advice')).toBe(false)
  expect(RECALL_TEXT.join(' ')).toContain('survey')
  expect(registeredText('Heart')).toBe(
    'Congratulations you have successfully registered for the Heart study! Thank you for your valuable contribution to advancing medical research.',
  )
})

test('confirms a sign-up with what it was for, who may call, and the way out', () => {
  const one = { trial: 'Heart', pharmacy: 'Harbour Pharmacy', recruiter: 'Meridian' }
  expect(confirmationOf(one)).toEqual({
    subject: 'You signed up for the Heart study',
    text: 'Harbour Pharmacy: you signed up for the Heart study. Meridian may contact you. To withdraw: {Withdraw link}',
  })
  expect(confirmationOf({ ...one, trial: 'Recall' }).text).toBe(
    'Harbour Pharmacy: you signed up for our survey. To withdraw: {Withdraw link}',
  )
})
