import { expect, test } from 'vitest'
import { merged } from './merged.ts'

test('saving mine over theirs keeps what they changed and I did not', () => {
  const opened = { version: 1, first: 'Rhys', last: 'Morgan', flags: ['a'] }
  const mine = { ...opened, last: 'Morgan-Lee' }
  const theirs = { version: 2, first: 'Reese', last: 'Morgan', flags: ['a', 'b'] }
  expect(merged(mine, opened, theirs)).toEqual({ version: 2, first: 'Reese', last: 'Morgan-Lee', flags: ['a', 'b'] })
  expect(merged({ ...mine, first: 'R.' }, opened, theirs)).toMatchObject({
    version: 2,
    first: 'R.',
    last: 'Morgan-Lee',
  })
})
