import { setImmediate as breathe } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { inTurns } from '../../api/repeat.ts'

it('long work lets others have their turn', async () => {
  const done: number[] = []
  let turns = 0
  const others = async () => {
    for (; done.length < 5; await breathe()) turns++
  }
  const waiting = others()
  await inTurns(5, (at) => {
    for (const began = performance.now(); performance.now() - began < 10; );
    done.push(at)
  })
  await waiting
  expect(done).toEqual([0, 1, 2, 3, 4])
  expect(turns).toBeGreaterThanOrEqual(4)
})
