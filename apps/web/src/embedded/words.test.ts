import type { BoardData } from '@pillar/contract/board'
import { describe, expect, it } from 'vitest'
import { adherenceTitle, arrivalBars, arrivalsTitle, headlinesOf, peakOf, peakWords, shareTitle } from './words.ts'

const months = Array.from(
  { length: 13 },
  (_, at) => `${2025 + Math.floor((at + 9) / 12)}-${String(((at + 9) % 12) + 1).padStart(2, '0')}`,
)
const own = (label: string, before: number | null, now: number | null) => ({
  ...{ label, own: true, values: months.map((_, at) => (at === 0 ? before : now)) },
})
const board = (shares: BoardData['shares'], more: Partial<BoardData> = {}): BoardData => ({
  ...{ name: 'Sales', dashboard_type: 'Supplier', country: 'AU', drug_classes: ['Statins'], drug_class: 'Statins' },
  ...{ months, pharmacies: months.map(() => 9), scripts: months.map(() => 400), shares },
  ...{ seasons: [], adherence: [], year: null, reach: null, ...more },
})
const notes = (data: BoardData) => headlinesOf(data).map(({ value, note }) => [value, note])

describe('the headlines of a board', () => {
  it('give an unchanged share or number of scripts without a sign', () => {
    expect(notes(board([own('Cardaxa', 0.2, 0.2)])).slice(0, 2)).toEqual([
      ['20.0%', '0.0 points in a year'],
      ['400', '0.0% in a year'],
    ])
    const hardly = board([own('Cardaxa', 0.2, 0.1999999)], {
      scripts: months.map((_, at) => (at === 0 ? 1e6 : 999_999)),
    })
    expect(notes(hardly)[0]![1]).toBe('0.0 points in a year')
    expect(notes(hardly)[1]![1]).toBe('0.0% in a year')
  })

  it('have a sign if something has changed', () => {
    expect(notes(board([own('Cardaxa', 0.2, 0.212)]))[0]).toEqual(['21.2%', '+1.2 points in a year'])
    expect(notes(board([own('Cardaxa', 0.2, 0.188)]))[0]).toEqual(['18.8%', '−1.2 points in a year'])
  })

  it('never compare the share of all own products with that of only some', () => {
    expect(notes(board([own('Cardaxa', 0.2, 0.21), own('Torvaxa', 0.05, null)]))[0]).toEqual(['at least 21.0%', ''])
    expect(notes(board([own('Cardaxa', 0.2, 0.21), own('Torvaxa', null, 0.05)]))[0]).toEqual(['26.0%', ''])
  })
})

describe('the season of a board', () => {
  const title = (seasons: (number | null)[]) => peakWords(peakOf(seasons)!)

  it('names the highest month, and none if no visible month is above the average', () => {
    expect(title([98, 108.4, 100])).toBe('February runs 8% above an average month')
    expect(title([100, 100, 100])).toBe('No month shown runs above an average month')
    expect(title([null, 97, 92])).toBe('No month shown runs above an average month')
  })
})

describe('who began with a supplier’s products', () => {
  const title = (...fresh: (number | null)[]) =>
    arrivalsTitle(
      board([], {
        year: {
          ...{ from: '2025-07-01', to: '2026-06-30', curves: [] },
          arrivals: fresh.map((one, at) => ({
            ...{ label: `Product ${at}`, own: true, fresh: one, from_own: null, from_other: null, together: null },
          })),
        },
      }),
    )

  it('is a number, at least the visible part of it, or too few to say; never at least nobody', () => {
    expect(title(30, 12)).toBe('42 people new to Statins began with ours')
    expect(title(30, null)).toBe('At least 30 people new to Statins began with ours')
    expect(title(0, 0)).toBe('0 people new to Statins began with ours')
    expect(title(0, null)).toBe('Too few people new to Statins began with ours to say how many')
    expect(title(null, null)).toBe('Too few people new to Statins began with ours to say how many')
  })
})

it('a row too small to show apart has no zero beside those words, which would read as what is hidden', () => {
  const row = { label: 'Cardaxa', own: true, fresh: null, from_own: 0, from_other: null, together: null }
  expect(arrivalBars(row, true)).toEqual({ values: [null, null, null, null], note: 'too few to show apart' })
  expect(arrivalBars({ ...row, from_own: 12 }, true).values).toEqual([null, null, null, 12])
  expect(arrivalBars({ ...row, fresh: 30, from_other: 0 }, true)).toEqual({ values: [30, 0, null, 0] })
  expect(arrivalBars({ ...row, own: false, fresh: 30, from_other: 0 }, false)).toEqual({ values: [30, 0, null] })
})

describe('the titles of shares', () => {
  const hiddenNow = [...months.slice(1).map(() => 0.2), null]

  it('say how it is', () => {
    expect(shareTitle(board([own('Cardaxa', 0.1, 0.2)]))).toBe('Cardaxa has 20.0% of Statins scripts')
    expect(adherenceTitle(board([], { adherence: months.map(() => 0.7) }))).toBe('70.0% of scripts are adherent')
  })

  it('name the month of the last value that may be shown', () => {
    const share = { ...own('Cardaxa', null, null), values: hiddenNow }
    expect(shareTitle(board([share]))).toBe('Cardaxa had 20.0% of Statins scripts in September 2026')
    expect(adherenceTitle(board([], { adherence: hiddenNow }))).toBe('20.0% of scripts were adherent in September 2026')
  })

  it('say so if nothing may be shown', () => {
    expect(shareTitle(board([own('Cardaxa', null, null)]))).toBe('Shares of Statins scripts')
    expect(adherenceTitle(board([], { adherence: months.map(() => null) }))).toBe('Adherence is not shown')
  })
})
