import { describe, expect, it } from 'vitest'
import { journeysDueOn } from './board.ts'
import { arrivalsOf, followed, type Supply } from './journey.ts'

const supply = (product: string, day: number, days = 30): Supply => ({ product, day, days })
const FROM = 1000
const TO = 1364

describe('arrivals in a class', () => {
  it('are new after a year without anything of it', () => {
    expect(arrivalsOf([supply('a', 1010)], FROM, TO)).toEqual([{ to: 'a', from: null, day: 1010 }])
    expect(arrivalsOf([supply('a', 644), supply('a', 1010)], FROM, TO)).toEqual([{ to: 'a', from: null, day: 1010 }])
    expect(arrivalsOf([supply('a', 645), supply('a', 1010)], FROM, TO)).toEqual([])
  })

  it('are switches if the other product is never supplied again', () => {
    const switched = [supply('a', 980), supply('b', 1010)]
    expect(arrivalsOf(switched, FROM, TO)).toEqual([{ to: 'b', from: 'a', day: 1010 }])
    expect(arrivalsOf([...switched, supply('a', 1040)], FROM, TO)).toEqual([])
    expect(arrivalsOf([...switched, supply('a', 1010)], FROM, TO)).toEqual([])
    expect(arrivalsOf([supply('a', 830), supply('b', 1010)], FROM, TO)).toHaveLength(1)
    expect(arrivalsOf([supply('a', 829), supply('b', 1010)], FROM, TO)).toEqual([])
  })

  it('lie in the period, both ends included', () => {
    const days = [FROM - 1, FROM, TO, TO + 1].map((day) => arrivalsOf([supply('a', day)], FROM, TO).length)
    expect(days).toEqual([0, 1, 1, 0])
  })

  it('are new for both of two products on one day', () => {
    expect(arrivalsOf([supply('a', 1010), supply('b', 1010)], FROM, TO).map((one) => one.from)).toEqual([null, null])
  })
})

it('arrivals of a year can be counted 98 days after its end', () => {
  expect(journeysDueOn({ to: TO })).toBe(TO + 98)
})

describe('how long a patient stays', () => {
  const arrival = { to: 'a', from: null, day: 1010 }
  const until = (last: number, died: number | null = null) => ({ last, died })

  it('ends with running out before a gap of more than 90 days', () => {
    const gap = (days: number) => [supply('a', 1010), supply('a', 1040 + days)]
    expect(followed(gap(91), arrival, until(1400))).toEqual({ days: 30, stopped: true })
    expect(followed(gap(90), arrival, until(1150))).toEqual({ days: 141, stopped: false })
  })

  it('uses early refills later', () => {
    expect(followed([supply('a', 1010), supply('a', 1020)], arrival, until(1200))).toEqual({ days: 60, stopped: true })
  })

  // As in `measure/persistence.test.ts`: boards and figures follow people alike.
  it('ends with the data, whose last day counts', () => {
    expect(followed([supply('a', 1010)], arrival, until(1129))).toEqual({ days: 30, stopped: false })
    expect(followed([supply('a', 1010)], arrival, until(1130))).toEqual({ days: 30, stopped: true })
    expect(followed([supply('a', 1010)], arrival, until(1019))).toEqual({ days: 10, stopped: false })
    expect(followed([supply('a', 1010)], arrival, until(1010))).toEqual({ days: 1, stopped: false })
    expect(followed([supply('a', 1010)], arrival, until(1009))).toBeNull()
    expect(followed([supply('a', 1010)], arrival, until(1009, 1400))).toBeNull()
    const again = [supply('a', 1010), supply('a', 1050)]
    expect(followed(again, arrival, until(1050))).toEqual({ days: 41, stopped: false })
  })

  it('ends with running out if a product begun no later continues', () => {
    const beside = (day: number) => [supply('b', day), supply('a', 1010), supply('b', 1037), supply('b', 1067)]
    expect(followed(beside(1010), arrival, until(1400))).toEqual({ days: 30, stopped: true })
    expect(followed(beside(700), arrival, until(1400))).toEqual({ days: 30, stopped: true })
    expect(followed(beside(672), arrival, until(1400))).toEqual({ days: 30, stopped: true })
    expect(followed(beside(671), arrival, until(1400))).toEqual({ days: 27, stopped: false })
  })

  it('ends with a switch or a death, or with running out if that was earlier', () => {
    const switched = (day: number) => followed([supply('a', 1010), supply('b', day)], arrival, until(1400))
    expect(switched(1035)).toEqual({ days: 25, stopped: false })
    expect(switched(1130)).toEqual({ days: 30, stopped: false })
    expect(switched(1131)).toEqual({ days: 30, stopped: true })
    // A return to the first product after a gap; the person had already switched from it.
    const back = [supply('a', 1010), supply('b', 1100), supply('a', 1200)]
    expect(followed(back, arrival, until(1400))).toEqual({ days: 30, stopped: false })
    expect(followed([supply('a', 1010)], arrival, until(1400, 1030))).toEqual({ days: 20, stopped: false })
    expect(followed([supply('a', 1010)], arrival, until(1400, 1131))).toEqual({ days: 30, stopped: true })
    expect(followed([supply('a', 1010)], arrival, until(1400, 1009))).toBeNull()
    const after = [supply('a', 1010), supply('a', 1100)]
    expect(followed(after, arrival, until(1400, 1060))).toEqual({ days: 30, stopped: false })
    // A supply on the day of a death still counts that day.
    expect(followed(after, arrival, until(1400, 1100))).toEqual({ days: 90, stopped: false })
  })
})
