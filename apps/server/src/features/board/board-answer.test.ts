import { expect, it } from 'vitest'
import { monthsAnswer, yearAnswer } from './board-answer.ts'
import type { YearParts } from './publication.ts'

it('hides how many left the supplier’s products for each other one, which is known only in total', () => {
  const arrivals: YearParts['arrivals'] = [
    { of: [['Statins', 'rosuvastatin', 'Cardaxa', 'new']], n: 42 },
    { of: [['Statins', 'atorvastatin', '', 'new']], n: 65 },
    { of: [['Statins', 'atorvastatin', '', 'other']], n: 14 },
    { of: [['Statins', '', '', 'own']], n: 19 },
  ]
  const year = yearAnswer([{ period: 202500, pharmacies: 9, parts: { arrivals, curves: [] } }], 'Statins', 'AU')
  const none = { fresh: null, from_own: null, from_other: null, together: null }
  expect(year?.arrivals).toEqual([
    { ...none, label: 'Cardaxa', own: true, fresh: 42, from_own: 0, from_other: 0 },
    { ...none, label: 'atorvastatin', own: false, fresh: 65, from_other: 14 },
    { ...none, label: 'Others’ products', own: false, from_own: 19 },
  ])
})

it('says that a molecule means only its other products where the supplier’s have rows of their own', () => {
  const arrivals: YearParts['arrivals'] = [
    { of: [['Statins', 'rosuvastatin', 'Cardaxa', 'new']], n: 42 },
    { of: [['Statins', 'rosuvastatin', '', 'new']], n: 81 },
    { of: [['Statins', 'atorvastatin', '', 'new']], n: 65 },
  ]
  const year = yearAnswer([{ period: 202500, pharmacies: 9, parts: { arrivals, curves: [] } }], 'Statins', 'AU')
  expect(year?.arrivals.map(({ label }) => label)).toEqual(['Cardaxa', 'rosuvastatin, others', 'atorvastatin'])
})

it('draws the curves of the largest group, even if its pharmacies entered later', () => {
  const curve = (began: number): YearParts['curves'][number] => ({
    ...{ of: ['Statins', 'Statins', ''], began },
    points: [{ day: 30, share: 0.9, low: 0.8, high: 0.95, at_risk: began }],
  })
  const group = (pharmacies: number, began: number) => ({
    ...{ period: 202500, pharmacies, parts: { arrivals: [], curves: [curve(began)] } },
  })
  const began = (...groups: ReturnType<typeof group>[]) => yearAnswer(groups, 'Statins', 'AU')?.curves[0]?.began
  expect(began(group(8, 40), group(20, 110))).toBe(110)
  expect(began(group(20, 110), group(8, 40))).toBe(110)
})

it('leaves out a group that shows nothing: nobody knows its scripts, and it is not counted as having none', () => {
  const bundle = (name: string, molecule: string, n: number) => ({
    ...{ of: [[name, molecule, ''] as [string, string, string]], n },
  })
  const month = (period: number, pharmacies: number, ...scripts: ReturnType<typeof bundle>[]) => ({
    ...{ period, pharmacies, parts: { scripts } },
  })
  const [shown, hidden] = [month(202609, 9, bundle('Statins', 'rosuvastatin', 900)), month(202609, 6)]
  const october = month(202610, 9, bundle('Statins', 'rosuvastatin', 930))
  const dashboard = { dashboard_type: 'Advertiser', products: [] as string[] } as Parameters<typeof monthsAnswer>[2]
  const answer = (...groups: ReturnType<typeof month>[]) => monthsAnswer(groups, 'Statins', dashboard)
  // 900 scripts of nine pharmacies in 30 days, then 930 in 31: the same every day.
  const { seasons, scripts } = answer(shown, hidden, october)
  expect([scripts, seasons[8], seasons[9]]).toEqual([[900, 930], expect.closeTo(100, 6), expect.closeTo(100, 6)])
  expect(answer(hidden, october).scripts).toEqual([null, 930])
  // Others are shown and this one has no scripts: that is a zero.
  expect(answer(month(202609, 9, bundle('Diabetes', 'metformin', 50)), october).scripts).toEqual([0, 930])
})
