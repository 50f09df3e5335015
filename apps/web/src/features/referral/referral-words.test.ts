import { expect, it } from 'vitest'
import { mailLink } from './referral-words.ts'

it('a link to write to a patient has the address as mail programs read it, and nothing but that', () => {
  expect(mailLink('ann.lee@mail.example')).toBe('mailto:ann.lee@mail.example')
  expect(mailLink('a@b.example?bcc=c@d.example&subject=x')).toBe('mailto:a@b.example%3Fbcc%3Dc@d.example%26subject%3Dx')
})
