import { expect, test } from 'vitest'
import { firstSignIn } from './user-words.ts'

test('a new user signs in at once if a password was set, else once they have one', () => {
  expect(firstSignIn('They', 'Quiet-otter-42')).toBe(
    'They can sign in at once with the password you set, and must then choose their own.',
  )
  for (const none of ['', null, undefined])
    expect(firstSignIn('Its first user', none)).toBe('Its first user can sign in as soon as they have a password.')
})
