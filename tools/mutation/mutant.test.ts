import { expect, it } from 'vitest'
import { choose } from './choice.ts'
import { MUTANTS } from './list.ts'
import { mutate, wrongWith } from './mutant.ts'

it('every line of the list occurs once in its file, and its tests exist', () => {
  expect(MUTANTS.map((mutant) => wrongWith(mutant)).filter(Boolean)).toEqual([])
})

it('a missing line, a missing file and a missing test are reported', () => {
  const one = { file: 'tools/run.ts', line: 'stdio: ', becomes: '', tests: ['tools/test.ts'] }
  expect(wrongWith(one)).toBeNull()
  expect(wrongWith({ ...one, line: 'no such line' })).toMatch('stands 0 times')
  expect(wrongWith({ ...one, line: 'e' })).toMatch(/stands \d\d+ times/)
  expect(wrongWith({ ...one, file: 'tools/none.ts' })).toMatch('the file is gone')
  expect(wrongWith({ ...one, tests: ['tools/none.test.ts'] })).toMatch('no test tools/none.test.ts')
  expect(wrongWith({ ...one, tests: [] })).toMatch('no test')
  expect(mutate('a $& b', { ...one, line: '$&', becomes: '$1' })).toBe('a $1 b')
})

it('faults are chosen by their number and by a part of their path', () => {
  const all = ['a/consent.ts', 'a/stop.ts', 'b/consent.ts'].map((file) => ({ file, line: '', becomes: '', tests: [] }))
  const files = (...words: string[]) => choose(words, all).map(({ file }) => file)
  expect(files()).toEqual(['a/consent.ts', 'a/stop.ts', 'b/consent.ts'])
  expect(files('--from', '2', 'consent')).toEqual(['b/consent.ts'])
  expect(files('--to', '2')).toEqual(['a/consent.ts', 'a/stop.ts'])
  expect(() => files('--nonsense')).toThrow("Unknown option '--nonsense'")
  expect(() => files('--from', 'consent')).toThrow('--from is the number of a fault, not "consent".')
  expect(() => files('consent', 'stop')).toThrow('Give one part of a path, not 2: consent, stop')
  expect(() => files('--from', '4')).toThrow('No fault numbered 4 to 3: there are 3.')
  expect(() => files('nothing')).toThrow('No fault numbered 1 to 3 in a file with "nothing" in its path: there are 3.')
})
