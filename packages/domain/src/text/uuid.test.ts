import { expect, it } from 'vitest'
import { isUuid } from './uuid.ts'

it('a uuid is recognised in either case and with spaces around it, and nothing else is one', () => {
  for (const text of ['0192c0de-0009-7000-8000-00000000000a', ' 0192C0DE-0009-7000-8000-00000000000A\n'])
    expect(isUuid(text), text).toBe(true)
  for (const text of [
    '',
    'saltbush',
    '0192c0de00097000800000000000000a',
    '0192c0de-0009-7000-8000-00000000000g',
    'x 0192c0de-0009-7000-8000-00000000000a',
  ])
    expect(isUuid(text), text).toBe(false)
})
