import { expect, it } from 'vitest'
import { mailLink } from './mail-link.ts'

it('a mailto link has the address in the format of mail programs, and nothing else', () => {
  expect(mailLink('ann.lee@mail.example')).toBe('mailto:ann.lee@mail.example')
  expect(mailLink('a@b.example?bcc=c@d.example&subject=x')).toBe('mailto:a@b.example%3Fbcc%3Dc@d.example%26subject%3Dx')
})
