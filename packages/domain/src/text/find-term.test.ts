import { describe, expect, it } from 'vitest'
import { findTerm, withoutWholeKey } from './find-term.ts'

const KEY = `pillar_upload_${'aB3'.repeat(17)}`

describe('a search term', () => {
  it('is the words of a name', () => {
    expect(findTerm(' O’Brien & Sons-Pharmacy ')).toEqual({
      words: ['o', 'brien', 'sons', 'pharmacy'],
      whole: 'o’brien & sons-pharmacy',
      uuids: null,
      key: null,
    })
    expect(findTerm('Aşkın 24')?.words).toEqual(['aşkın', '24'])
  })
  it('is nothing without a letter or digit', () => {
    expect(['', '   ', '%', '-- &'].map(findTerm)).toEqual([null, null, null, null])
  })
  it('is a uuid or its beginning', () => {
    const uuid = '01980000-0000-7000-8000-000000000002'
    expect(findTerm(uuid.toUpperCase())?.uuids).toEqual({ from: uuid, to: uuid })
    expect(findTerm('01980000-00')?.uuids).toEqual({
      from: '01980000-0000-0000-0000-000000000000',
      to: '01980000-00ff-ffff-ffff-ffffffffffff',
    })
    expect(findTerm('01980000')?.uuids?.from).toBe('01980000-0000-0000-0000-000000000000')
    expect(findTerm('feed')?.uuids).toBe(null)
    expect(findTerm(`${uuid}0`)?.uuids).toBe(null)
  })
  it('keeps only as much of a key as it takes to find its pharmacy', () => {
    expect(findTerm(KEY)).toMatchObject({ words: [], key: 'pillar_upload_aB3aB3' })
    expect(withoutWholeKey(`the key is ${KEY}`)).toBe('pillar_upload_aB3aB3')
    expect(findTerm('pillar_upload_aB')).toMatchObject({ key: 'pillar_upload_aB' })
    expect(findTerm('pillar_upload_')).toMatchObject({ key: null, words: ['pillar', 'upload'] })
  })
})
