import { expect, it } from 'vitest'
import { rarely } from './rarely.ts'

it('says a reason at once, then once a minute with how often it came, and another one beside it', () => {
  let ms = 0
  const said: [string, number][] = []
  const tell = rarely(
    (reason, times) => void said.push([reason, times]),
    () => ms,
  )
  for (; ms < 150_000; ms += 250) tell('away')
  tell('full')
  expect(said).toEqual([
    ['away', 1],
    ['away', 240],
    ['away', 240],
    ['full', 1],
  ])
})
