import { expect, it, vi } from 'vitest'
import { rarely } from './rarely.ts'

it('logs a reason at once, then once a minute with how often it came, and another one beside it', () => {
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

it('keeps logging it when the machine’s clock is set back an hour', () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  try {
    let said = 0
    const tell = rarely(() => said++)
    tell('away')
    vi.advanceTimersByTime(61_000)
    vi.setSystemTime(Date.now() - 3_600_000)
    tell('away')
    expect(said).toBe(2)
  } finally {
    vi.useRealTimers()
  }
})
