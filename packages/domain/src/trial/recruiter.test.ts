import { expect, test } from 'vitest'
import { type RecruiterDraft, recruiterProblem, recruiterProblems } from './recruiter.ts'

const GOOD: RecruiterDraft = {
  name: 'Meridian Trials',
  description: 'Adults with a chronic heart condition',
  recruiter_or_provider: 'recruiter',
  logo_url: 'https://meridian-trials.example/logo.svg',
  phone: '02 5550 0190',
  email: 'hello@meridian-trials.example',
  website: 'https://meridian-trials.example',
  privacy_policy_url: 'https://meridian-trials.example/privacy',
}
const NOTHING: RecruiterDraft = {
  ...{ name: ' ', description: '', recruiter_or_provider: '', logo_url: '', phone: '', email: '' },
  ...{ website: '', privacy_policy_url: '' },
}

test('a recruiter names everything that is missing in one sentence, in the order of the form', () => {
  expect(recruiterProblem(GOOD)).toBe('')
  expect(recruiterProblem(NOTHING)).toBe(
    'Please enter a recruiter/provider name, enter eligibility criteria, select recruiter or provider, enter a logo URL, enter a phone number, enter an email, enter a website, and enter a privacy policy.',
  )
  expect(recruiterProblem({ ...NOTHING, recruiter_or_provider: null, name: 'x' })).toContain('select recruiter')
  expect(recruiterProblems({ ...GOOD, phone: '' })).toEqual([{ field: 'phone', words: 'enter a phone number' }])
})

test('addresses are https, an email has an @ and a phone number has digits', () => {
  for (const bad of ['javascript:alert(1)', 'http://meridian-trials.example', 'meridian', 'https://127.0.0.1']) {
    const fields = { logo_url: bad, website: bad, privacy_policy_url: bad }
    expect(recruiterProblem({ ...GOOD, ...fields })).toBe(
      'Please enter a logo URL that starts with https://, enter a website that starts with https://, and enter a privacy policy that starts with https://.',
    )
  }
  expect(recruiterProblem({ ...GOOD, email: 'meridian' })).toBe('Please enter a valid email.')
  expect(recruiterProblem({ ...GOOD, phone: 'call us' })).toBe('Please enter a phone number of digits and spaces.')
  for (const phone of ['(02) 5550 0190', '+61 2 5550 0190', '13 12 11'])
    expect(recruiterProblem({ ...GOOD, phone })).toBe('')
})
