import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countInWindow, DEFAULT_CAP, type FrequencyCap, keepsCap } from './frequency-cap.ts'

const HOUR = 3_600_000
const at = (text: string) => new Date(text).getTime()
const oneADay = { messages: 1, hours: 24 }

/**
 * A sent or planned message. `keys` identify the person: number in E.164, email in lower case. All who share one of them count together, whatever
 * the pharmacy and name.
 */
interface CappedMessage {
  readonly keys: readonly string[]
  /** Epoch milliseconds of the actual or planned handover. */
  readonly at: number
}

/**
 * Which of many queued messages may go: in order of their planned time (ties as given), each that stays within the cap together with what was
 * sent before and those chosen so far. Returns the answer for each, in the given order; the others are `capped`.
 */
function chooseUnderCap(
  cap: FrequencyCap,
  past: readonly CappedMessage[],
  queued: readonly CappedMessage[],
): boolean[] {
  const byKey = new Map<string, number[]>()
  const remember = (message: CappedMessage) => {
    for (const key of new Set(message.keys)) {
      const times = byKey.get(key)
      if (times) times.push(message.at)
      else byKey.set(key, [message.at])
    }
  }
  for (const message of past) remember(message)
  const goes = queued.map(() => false)
  const order = queued.map((_, index) => index).sort((a, b) => queued[a]!.at - queued[b]!.at || a - b)
  for (const index of order) {
    const message = queued[index]!
    if (!message.keys.every((key) => keepsCap(cap, byKey.get(key) ?? [], message.at))) continue
    goes[index] = true
    remember(message)
  }
  return goes
}

describe('frequency cap', () => {
  test('has rolling hours: eleven at night and midnight are not two days', () => {
    const past = [at('2026-11-19T23:00:00Z')]
    expect(keepsCap(oneADay, past, at('2026-11-20T00:00:00Z'))).toBe(false)
    expect(keepsCap(oneADay, past, at('2026-11-20T22:59:59Z'))).toBe(false)
    expect(keepsCap(oneADay, past, at('2026-11-20T23:00:00Z'))).toBe(true)
  })

  test('is two messages in seven days unless a company chooses another', () => {
    expect(DEFAULT_CAP).toEqual({ messages: 2, hours: 7 * 24 })
  })

  test('keeps 24 hours at 24 hours when the clock changes', () => {
    // In Sydney, clocks go forward on 4 October 2026, so 10:00 to 10:00 is only 23 hours.
    expect(keepsCap(oneADay, [at('2026-10-03T10:00:00+10:00')], at('2026-10-04T10:00:00+11:00'))).toBe(false)
    expect(keepsCap(oneADay, [at('2026-10-03T10:00:00+10:00')], at('2026-10-04T11:00:00+11:00'))).toBe(true)
  })

  test('counts one patient at two pharmacies, and two patients on one phone, once', () => {
    const message = (keys: string[]): CappedMessage => ({ keys, at: 100 * HOUR })
    expect(
      chooseUnderCap(
        oneADay,
        [],
        [
          message(['+61400000001']),
          message(['+61400000001', 'ada@example.org']),
          message(['ada@example.org']),
          message(['ada@example.org']),
        ],
      ),
    ).toEqual([true, false, true, false])
  })

  test('earlier messages do not push a planned message over the limit', () => {
    expect(keepsCap(oneADay, [30 * HOUR], 10 * HOUR)).toBe(false)
    expect(keepsCap(oneADay, [34 * HOUR - 1], 10 * HOUR)).toBe(false)
    expect(keepsCap(oneADay, [34 * HOUR], 10 * HOUR)).toBe(true)
  })

  test('the earliest queued messages go first', () => {
    const queued = [50, 10, 11, 40].map((hour) => ({ keys: ['a'], at: hour * HOUR }))
    expect(chooseUnderCap(oneADay, [{ keys: ['a'], at: -10 * HOUR }], queued)).toEqual([false, false, false, true])
    expect(chooseUnderCap(oneADay, [], queued)).toEqual([false, true, false, true])
  })

  test('property: no window exceeds the limit, and nobody is held back without need', () => {
    const message = fc.record<CappedMessage>({
      keys: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 2 }),
      at: fc.integer({ min: 0, max: 200 }).map((hour) => hour * HOUR),
    })
    const caps = fc.record({ messages: fc.integer({ min: 1, max: 3 }), hours: fc.integer({ min: 1, max: 72 }) })
    fc.assert(
      fc.property(caps, fc.array(message, { maxLength: 30 }), (cap, queued) => {
        const goes = chooseUnderCap(cap, [], queued)
        const gone = queued.filter((_, index) => goes[index])
        const times = (key: string) => gone.filter((item) => item.keys.includes(key)).map((item) => item.at)
        for (const key of ['a', 'b', 'c']) {
          for (const end of times(key)) expect(countInWindow(cap, times(key), end)).toBeLessThanOrEqual(cap.messages)
        }
        queued.forEach((item, index) => {
          if (goes[index]) return
          expect(item.keys.some((key) => countInWindow(cap, times(key), item.at) >= cap.messages)).toBe(true)
        })
      }),
    )
  })
})
