import { expect, it } from 'vitest'
import { bytesOf, Lag } from './lag.ts'

it('a log position is a number of bytes', () => {
  expect(bytesOf('0/16B3748')).toBe(0x16b3748)
  expect(bytesOf('2/1')).toBe(2 * 2 ** 32 + 1)
})

it('a replica that shows everything the primary had is not behind, however long ago that was written', () => {
  const lag = new Lag()
  expect(lag.note(0, 100, 100, 7200)).toEqual({ seconds: 0, bytes: 0 })
  expect(lag.note(2000, 100, 120, 7202)).toEqual({ seconds: 0, bytes: 0 })
})

it('a replica that stands still is behind since the primary was last seen at its position', () => {
  const lag = new Lag()
  lag.note(0, 100, 100, 3600)
  expect(lag.note(2000, 150, 100, 3602)).toEqual({ seconds: 2, bytes: 50 })
  expect(lag.note(4000, 200, 100, 3604)).toEqual({ seconds: 4, bytes: 100 })
  // The replica has passed 150, where the primary was at 2,000 ms.
  expect(lag.note(6000, 260, 170, 1)).toEqual({ seconds: 4, bytes: 90 })
  expect(lag.note(8000, 260, 260, 0)).toEqual({ seconds: 0, bytes: 0 })
})

it('until the primary is seen at the replica’s position, the replica’s own time counts; without one it is behind for ever', () => {
  expect(new Lag().note(0, 200, 100, 45)).toEqual({ seconds: 45, bytes: 100 })
  expect(new Lag().note(0, 200, 100, null).seconds).toBe(Number.POSITIVE_INFINITY)
})

it('a long lag keeps being reported, from fewer checks', () => {
  const lag = new Lag()
  lag.note(0, 0, 0, 0)
  let last = 0
  for (let look = 1; look <= 10_000; look++) last = lag.note(look * 1000, look, 0, look).seconds
  expect(last).toBe(10_000)
})
