import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  confirmationOf,
  contactNote,
  detailLabel,
  detailProblem,
  detailWords,
  isRecall,
  postcodeText,
  RECALL_TEXT,
  registeredText,
  SIGN_UP_FIELDS,
  type SignUpField,
  sharedDetails,
  signUpOf,
} from './agreement.ts'

const some = fc.option(fc.string(), { nil: null })
const fields = fc.record(
  Object.fromEntries(SIGN_UP_FIELDS.map((field) => [field, some])) as Record<SignUpField, typeof some>,
)

test('the pharmacy’s details take precedence over anything sent; only details empty on both sides are missing', () => {
  fc.assert(
    fc.property(fields, fields, (known, sent) => {
      const { details, missing, wrong } = signUpOf(known, sent, 'AU')
      for (const field of SIGN_UP_FIELDS) {
        const plain = (text: string | null) => (text ?? '').replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
        const own = plain(known[field])
        expect(details[field]).toBe(own || plain(sent[field]))
        if (own !== '') expect(wrong).not.toHaveProperty(field)
        expect(missing.includes(field)).toBe(details[field] === '')
      }
    }),
  )
})

test.each([
  [
    'email',
    ['jo@saltbush.example', ' jo+1@a.b '],
    ['jo', 'jo@home', 'jo jo@a.b', 'jo@a.b or kim@a.b', '@', 'http://jo'],
  ],
  [
    'phone_number',
    ['0491 570 156', '+61 (3) 5550-1234', '55501234'],
    ['none', '0491', '0491 57', '0491 570 x56', '0491 570 156 Jo', 'javascript:1'],
  ],
  ['postcode', ['2000', '0800', ' 7000 '], ['22', '20000', 'Sydney', '2OOO']],
] as const)('with %s from the patient, some details reach nobody', (field, good, bad) => {
  const empty = Object.fromEntries(SIGN_UP_FIELDS.map((one) => [one, null])) as Record<SignUpField, null>
  for (const text of good) expect(signUpOf(empty, { [field]: text }, 'AU').wrong).toEqual({})
  for (const text of bad)
    expect(signUpOf(empty, { [field]: text }, 'AU').wrong).toEqual({ [field]: expect.stringContaining('Please enter') })
})

test('a recruiter reads no note of the pharmacy, and no contact that is nobody’s', () => {
  const noted = { first_name: 'MARGARET (HIV CLINIC)', last_name: 'Vale *owes $20', postcode: ' 2000 ' }
  const names = { first_name: 'Margaret', last_name: 'Vale', postcode: '2000' }
  const reached = { phone_number: '0491 570 156', email: 'jo@saltbush.example' }
  expect(sharedDetails({ ...noted, ...reached })).toEqual({ ...names, ...reached })
  for (const phone_number of ['0491 570 156 (daughter)', '0400 000 000', 'none', '', null])
    expect([phone_number, sharedDetails({ ...noted, ...reached, phone_number })]).toEqual([
      phone_number,
      { ...names, ...reached, phone_number: null },
    ])
  for (const email of ['none@none.com', 'ask her son', null])
    expect([email, sharedDetails({ ...noted, ...reached, email })]).toEqual([
      email,
      { ...names, ...reached, email: null },
    ])
  expect(sharedDetails({ ...noted, ...reached, first_name: 'B/O SARAH' }).first_name).toBeNull()
})

test('a detail is always one line', () => {
  const empty = Object.fromEntries(SIGN_UP_FIELDS.map((one) => [one, null])) as Record<SignUpField, null>
  const { details, missing } = signUpOf(empty, { first_name: 'Kim\r\n\u0007Vale', last_name: '\u0085\n' }, 'AU')
  expect(details.first_name).toBe('Kim Vale')
  expect(missing).toContain('last_name')
})

test('the note names who gets the details, except for a survey', () => {
  const page = { trial: 'Heart failure at home', pharmacy: 'Saltbush', recruiter: 'Meridian Trials' }
  expect(contactNote(page)).toContain('Saltbush gives the details above to Meridian Trials')
  expect(contactNote(page)).toContain('may contact you about this study')
  expect(contactNote({ ...page, trial: ' Recall ' })).not.toContain('Meridian')
  expect(isRecall('Recall of advice')).toBe(false)
  expect(RECALL_TEXT.join(' ')).toContain('survey')
  expect(registeredText('Heart')).toBe(
    'Congratulations you have successfully registered for the Heart study! Thank you for your valuable contribution to advancing medical research.',
  )
})

test('the message after a sign-up says what it was for, who may call, and how to withdraw', () => {
  const one = { trial: 'Heart', pharmacy: 'Harbour Pharmacy', recruiter: 'Meridian' }
  expect(confirmationOf(one)).toEqual({
    subject: 'You signed up for the Heart study',
    text: 'Harbour Pharmacy: you signed up for the Heart study. Meridian may contact you. To withdraw: {Withdraw link}',
  })
  expect(confirmationOf({ ...one, trial: 'Recall' }).text).toBe(
    'Harbour Pharmacy: you signed up for our survey. To withdraw: {Withdraw link}',
  )
})

test('details have the country’s names, on the page and within a sentence', () => {
  expect(SIGN_UP_FIELDS.map((field) => detailLabel(field, 'AU'))).toEqual([
    ...['First Name', 'Last Name', 'Phone Number', 'Email', 'Postcode'],
  ])
  expect(SIGN_UP_FIELDS.map((field) => detailWords(field, 'US'))).toEqual([
    ...['first name', 'last name', 'phone number', 'email', 'ZIP code'],
  ])
})

test('a postcode sent as a number gets back its leading zeros, as many as the country writes', () => {
  expect([postcodeText(800, 'AU'), postcodeText(2139, 'US'), postcodeText(2000, 'AU')]).toEqual([
    '0800',
    '02139',
    '2000',
  ])
  expect([postcodeText('SW1A 1AA', 'GB'), postcodeText(null, 'AU'), postcodeText(undefined, 'AU')]).toEqual([
    ...['SW1A 1AA', null, null],
  ])
})

test('a phone number has at least eight digits', () => {
  const problems = ['9555 123', '9555 1234'].map((typed) => detailProblem('phone_number', typed, 'AU'))
  expect(problems).toEqual(['Please enter a phone number that you can be called on.', ''])
})

test('a postcode has the country’s format', () => {
  const empty = Object.fromEntries(SIGN_UP_FIELDS.map((one) => [one, null])) as Record<SignUpField, null>
  const words = (postcode: string, country: 'AU' | 'GB' | 'US') => signUpOf(empty, { postcode }, country).wrong.postcode
  expect([words('SW1A 1AA', 'GB'), words('02139', 'US'), words('02139-4307', 'US')]).toEqual(Array(3).fill(undefined))
  expect(words('2139', 'US')).toBe('Please enter a ZIP code of five digits, such as 10001.')
  expect(['ls14ap', 'M1 1AE', 'W1A 0AX', 'JE2 3AB'].map((one) => words(one, 'GB'))).toEqual(Array(4).fill(undefined))
  for (const wrong of ['22', 'XX', 'LS1', 'Leeds', 'LS1  4APX'])
    expect(words(wrong, 'GB')).toBe('Please enter a full postcode, such as LS1 4AP.')
  expect(words('22', 'AU')).toBe('Please enter a postcode of four digits, such as 2000.')
})
