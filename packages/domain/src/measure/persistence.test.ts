import { expect, it } from 'vitest'
import type { Course } from './course.ts'
import { startsOfCourse } from './persistence.ts'

const FROM = 20_000
const START = FROM + 400
/** A course of 30-day supplies on these days after the start; negative revenue for one made elsewhere. */
const course = (days: readonly number[], more: Partial<Course['endings']> = {}, cents?: readonly number[]): Course => ({
  ...{ pair: 0, first: START + (days[0] ?? 0), day: days.map((day) => START + day), days: days.map(() => 30) },
  ...{ cents: cents ?? days.map(() => 2000), closed: [], endings: { died: null, ceased: [], replaced: [], ...more } },
})
const starts = (made: Course, dataTo = START + 600, dataFrom = FROM) =>
  startsOfCourse(made, dataFrom, dataTo).map(({ on, ...rest }) => ({ on: on - START, ...rest }))

it('stops on the day a supply runs out, if none follows for more than 90 days', () => {
  // Supplied on days 0, 20 (early, used from day 30 on) and 60: used up on day 90, and nothing until day 181.
  expect(starts(course([0, 20, 60, 181]))).toEqual([{ on: 0, days: 90, stopped: true }])
  expect(starts(course([0, 20, 60, 180]))).toEqual([{ on: 0, days: 210, stopped: true }])
  // Early refills last: the two fetched together on day 20 are used up on day 90.
  expect(starts(course([0, 20, 20]))).toEqual([{ on: 0, days: 90, stopped: true }])
})

it('has not stopped if the data end before 91 days without any have passed', () => {
  expect(starts(course([0]), START + 120)).toEqual([{ on: 0, days: 30, stopped: true }])
  expect(starts(course([0]), START + 119)).toEqual([{ on: 0, days: 30, stopped: false }])
  // Supplies after the last day of the data do not count yet.
  expect(starts(course([0, 60]), START + 50)).toEqual([{ on: 0, days: 30, stopped: false }])
  // If some is left on the last day of the data, that day counts as a day with the medicine.
  expect(starts(course([0]), START + 9)).toEqual([{ on: 0, days: 10, stopped: false }])
})

it('follows up to a death, or to a switch without any later supply of the old medicine', () => {
  expect(starts(course([0, 30], { died: START + 50 }))).toEqual([{ on: 0, days: 50, stopped: false }])
  // A supply on the day of a death counts that day; from day 60 to day 70 there was none.
  expect(starts(course([0, 30, 70], { died: START + 70 }))).toEqual([{ on: 0, days: 70, stopped: false }])
  expect(starts(course([0, 30], { replaced: [START + 45] }))).toEqual([{ on: 0, days: 45, stopped: false }])
  // Neither a switch before the last supply nor a medicine fetched together with it replaces the old one.
  for (const day of [10, 30])
    expect(starts(course([0, 30], { replaced: [START + day] }))).toEqual([{ on: 0, days: 60, stopped: true }])
  // Used up on day 60. A switch or death on day 150 comes before the gap exceeds 90 days, which is on day 151.
  expect(starts(course([0, 30], { replaced: [START + 150] }))).toEqual([{ on: 0, days: 60, stopped: false }])
  expect(starts(course([0, 30], { died: START + 151 }))).toEqual([{ on: 0, days: 60, stopped: true }])
})

it('follows nobody for more than 365 days', () => {
  const monthly = Array.from({ length: 16 }, (_, at) => at * 30)
  expect(starts(course(monthly))).toEqual([{ on: 0, days: 365, stopped: false }])
  // Running out on day 365 itself is still seen.
  const year = { ...course([0]), days: [365] }
  expect(starts(year)).toEqual([{ on: 0, days: 365, stopped: true }])
})

it('begins after 365 days without it, at a pharmacy with 365 days of data before', () => {
  expect(starts(course([0]), START + 600, START - 364)).toEqual([])
  expect(starts(course([0]), START + 600, START - 365)).toHaveLength(1)
  expect(starts(course([0, 366])).map(({ on }) => on)).toEqual([0, 366])
  expect(starts(course([0, 365])).map(({ on }) => on)).toEqual([0])
})

it('does not begin with a supply made elsewhere, nor within 365 days of one, but with a free one made here', () => {
  expect(starts(course([0], {}, [0]))).toEqual([{ on: 0, days: 30, stopped: true }])
  expect(starts(course([0, 30], {}, [-1, 2000]))).toEqual([])
  expect(starts(course([0, 30], {}, [2000, -1]))).toEqual([{ on: 0, days: 60, stopped: true }])
})
