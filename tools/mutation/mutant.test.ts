import { expect, it } from 'vitest'
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
