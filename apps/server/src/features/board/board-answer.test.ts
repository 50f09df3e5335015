import { expect, it } from 'vitest'
import { yearAnswer } from './board-answer.ts'
import type { YearParts } from './publication.ts'

it('says nothing of who left the supplier’s products for one of the others, which is known of all others together', () => {
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
