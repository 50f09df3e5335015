import { contract, write } from '@pillar/contract'
import { expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { useWrite, type Written } from './client.ts'

const plain = write({
  path: '/api/a',
  needs: 'signed-in',
  about: '',
  example: {},
  input: z.object({}),
  output: z.object({}),
})
const guarded = write({
  path: '/api/b',
  needs: 'signed-in',
  stepUp: 'delete',
  about: '',
  example: { id: '' },
  input: z.object({ id: z.string() }),
  output: z.object({}),
})

it('a write has words for the password prompt exactly if its call needs one', () => {
  const ask = { title: 'Delete it?', consequence: 'It is gone.', button: 'Delete' }
  const allowed = () => [useWrite(guarded, { ask }), useWrite(guarded, { ask: ({ id }) => ({ ...ask, title: id }) })]
  const plainly = () => [useWrite(plain), useWrite(contract.inbound.readReply)]
  // @ts-expect-error: the password prompt needs wording
  const silent = () => useWrite(guarded)
  // @ts-expect-error: a button that names what it does is required
  const speechless = () => useWrite(guarded, { ask: { title: 'Delete it?', consequence: '' } })
  // @ts-expect-error: a call without step-up has no prompt
  const needless = () => useWrite(plain, { ask })
  expectTypeOf<null>().toExtend<Written<typeof guarded>>()
  expectTypeOf<null>().not.toExtend<Written<typeof plain>>()
  expect([allowed, plainly, silent, speechless, needless].every((use) => typeof use === 'function')).toBe(true)
})
