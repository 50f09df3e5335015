import { describe, expect, it } from 'vitest'
import { kaplanMeier, survivalOn } from './kaplan-meier.ts'

const stop = (days: number) => ({ days, stopped: true })
const lost = (days: number) => ({ days, stopped: false })

describe('the persistence curve', () => {
  // Worked by hand. Ten people: stop at 6, 6, 6, 7, 10; lost at 6, 9, 10, 11, 17.
  const people = [stop(6), stop(6), stop(6), lost(6), stop(7), lost(9), stop(10), lost(10), lost(11), lost(17)]

  it('falls when somebody stops, by the share of those still followed', () => {
    const curve = kaplanMeier(people, 1)
    expect(curve.map(({ day, at_risk }) => [day, at_risk])).toEqual([
      [6, 10],
      [7, 6],
      [10, 4],
    ])
    expect(curve[0]!.share).toBeCloseTo(0.7, 12)
    expect(curve[1]!.share).toBeCloseTo((0.7 * 5) / 6, 12)
    expect(curve[2]!.share).toBeCloseTo((((0.7 * 5) / 6) * 3) / 4, 12)
  })

  it('has log-log intervals', () => {
    const [first] = kaplanMeier(people, 1)
    // Greenwood: 3 / (10 x 7) = 0.042857; its root 0.207020 over |ln 0.7| = 0.356675 is 0.580415, times 1.959964 is 1.137592.
    expect(first!.low).toBeCloseTo(0.7 ** Math.exp(1.137592), 5)
    expect(first!.high).toBeCloseTo(0.7 ** Math.exp(-1.137592), 5)
    expect([first!.low, first!.high]).toEqual([expect.closeTo(0.3287, 3), expect.closeTo(0.8919, 3)])
  })

  it('ends once fewer than ten are followed', () => {
    expect(kaplanMeier(people).map((point) => point.day)).toEqual([6])
    expect(kaplanMeier(people.slice(1))).toEqual([])
  })

  it('counts people lost on a day as followed that day, and has no interval once all have stopped', () => {
    const [only] = kaplanMeier([stop(5), lost(5)], 1)
    expect(only).toMatchObject({ at_risk: 2, share: 0.5 })
    expect(kaplanMeier([stop(5), stop(5)], 1)[0]).toMatchObject({ share: 0, low: null, high: null })
  })

  it('has the value of the last stop before a day', () => {
    const curve = kaplanMeier(people, 1)
    expect(survivalOn(curve, 5)).toEqual({ share: 1, low: 1, high: 1 })
    expect(Object.keys(survivalOn(curve, 8))).toEqual(['share', 'low', 'high'])
    expect(survivalOn(curve, 6).share).toBeCloseTo(0.7, 12)
    expect(survivalOn(curve, 9).share).toBe(curve[1]!.share)
  })
})
