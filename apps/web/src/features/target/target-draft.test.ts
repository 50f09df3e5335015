import type { Target } from '@pillar/contract/target'
import { describe, expect, it } from 'vitest'
import { draftProblems, replacedVersion, sentTarget, targetValue, typedOf } from './target-draft.ts'
import { whoseTargets } from './useTargets.ts'

describe('the form of a target', () => {
  it('takes shares in percent and sends them as fractions', () => {
    expect(targetValue({ figure: 'adherent_share', target: 61.55 })).toBe(0.6155)
    expect(targetValue({ figure: 'adherent_share', target: '4.35' })).toBe(0.0435)
    expect(targetValue({ figure: 'revenue', target: '1250.5' })).toBe(1250.5)
    expect(targetValue({ figure: 'scripts', target: '' })).toBeNull()
    expect(typedOf('loyalty', 0.6155)).toBe(61.55)
    expect(typedOf('revenue', 120_000)).toBe(120_000)
  })

  it('shows problems beside their fields', () => {
    expect(draftProblems({ pharmacy: '', figure: 'loyalty', target: 101, version: null })).toEqual([
      { field: 'target', words: 'enter a target of at most 100%' },
    ])
    expect(draftProblems({ pharmacy: '', figure: 'loyalty', target: 100, version: null })).toEqual([])
  })

  it('replaces the existing one', () => {
    const targets = [{ figure: 'revenue', pharmacy_id: null, version: 3 }] as Target[]
    expect(replacedVersion(targets, { pharmacy: '', figure: 'revenue' })).toBe(3)
    expect(replacedVersion(targets, { pharmacy: 'x', figure: 'revenue' })).toBe(0)
  })

  it('is sent for the pharmacy it names, or for the whole company', () => {
    const targets = [{ figure: 'revenue', pharmacy_id: null, version: 3 }] as Target[]
    const sent = (pharmacy: string) =>
      sentTarget(targets, { pharmacy, figure: 'revenue', target: '1250.5', version: null })
    expect(sent('x')).toEqual({ figure: 'revenue', pharmacy_id: 'x', target: 1250.5, version: 0 })
    expect(sent('')).toEqual({ figure: 'revenue', pharmacy_id: null, target: 1250.5, version: 3 })
  })
})

it('the company’s targets apply to all its pharmacies, one pharmacy’s to itself, and none to some of them', () => {
  expect([whoseTargets(['a', 'b', 'c'], 3), whoseTargets(['b'], 3)]).toEqual([null, 'b'])
  expect(whoseTargets(['a', 'b'], 3)).toBeUndefined()
})
