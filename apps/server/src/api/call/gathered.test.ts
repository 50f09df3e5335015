import { expect, it } from 'vitest'
import { gathered } from './gathered.ts'

/** Look-ups that finish on command and return the state at the time they started. */
function world() {
  let now = 0
  const ends: (() => void)[] = []
  const ask = gathered(
    (key) =>
      new Promise<string>((done) => {
        const seen = `${key} ${now}`
        ends.push(() => done(seen))
      }),
  )
  const settle = () => new Promise((done) => setImmediate(done))
  return { ask, ends, settle, pass: () => ++now }
}

it('fifty simultaneous requests cost two look-ups, and each answer is from its own request or later', async () => {
  const { ask, ends, settle, pass } = world()
  const first = ask('a')
  pass()
  const others = Array.from({ length: 49 }, () => ask('a'))
  expect(ends).toHaveLength(1)
  ends[0]!()
  expect(await first).toBe('a 0')
  await settle()
  expect(ends).toHaveLength(2)
  pass()
  // Too late for the second look-up: it has already started.
  const late = ask('a')
  ends[1]!()
  expect(new Set(await Promise.all(others))).toEqual(new Set(['a 1']))
  await settle()
  ends[2]!()
  expect(await late).toBe('a 2')
  await settle()
  const alone = ask('a')
  expect(ends).toHaveLength(4)
  ends[3]!()
  await alone
})

it('keys do not wait for each other, and a failing one leaves nothing behind', async () => {
  const { ask, ends, settle } = world()
  const [a, b] = [ask('a'), ask('b')]
  expect(ends).toHaveLength(2)
  ends[1]!()
  expect(await b).toBe('b 0')
  ends[0]!()
  await a
  let tries = 0
  const failing = gathered(() => Promise.reject(new Error(`try ${++tries}`)))
  const asked = [failing('x'), failing('x'), failing('x')]
  expect((await Promise.allSettled(asked)).map((one) => (one as PromiseRejectedResult).reason.message)).toEqual([
    'try 1',
    'try 2',
    'try 2',
  ])
  await settle()
  await expect(failing('x')).rejects.toThrow('try 3')
})

it('nobody waits long for a look-up with a dead connection', async () => {
  const { ask, ends } = world()
  const dead = ask('a')
  const waiting = ask('a')
  await expect.poll(() => ends.length).toBe(2)
  ends[1]!()
  expect(await waiting).toBe('a 0')
  const later = ask('a')
  ends[2]!()
  expect(await later).toBe('a 0')
  ends[0]!()
  await dead
})
