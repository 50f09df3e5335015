import { expect, test } from 'vitest'
import { foldName } from './login-name.ts'

test.each([
  [' HeadOffice ', 'headoffice'],
  ['Robin@Mail.Example', 'robin@mail.example'],
  ['headoff\u0130ce', 'headoff\u0130ce'],
  ['\u212aelvin', '\u212aelvin'],
  ['ZOË', 'zoË'],
])('%s is compared as %s', (name, folded) => {
  expect(foldName(name)).toBe(folded)
})
