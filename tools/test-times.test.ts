import { expect, it } from 'vitest'
import { afterSecondTry, fileOf } from './test-times.ts'

const test = (name: string, failure?: string) => ({ part: 'server', name, seconds: 1, failure })

it('of a file that ran twice the second run counts, beside anything only the first one reported', () => {
  const first = [
    test('a.test.ts › holds'),
    test('b.test.ts › late', 'too slow'),
    test('b.test.ts › holds'),
    test('c.test.ts › wrong', '1 is not 2'),
    test('d.test.ts', 'no database'),
    test('e.test.ts › never again', 'lost'),
  ]
  const second = [
    test('b.test.ts › late'),
    test('b.test.ts › holds', 'now this'),
    test('c.test.ts › wrong', '1 is not 3'),
    test('d.test.ts › holds'),
  ]
  const told = afterSecondTry(first, second)
  const saying = (which: 'failure' | 'firstTry') =>
    Object.fromEntries(told.filter((one) => one[which] !== undefined).map((one) => [one.name, one[which]]))
  expect(saying('failure')).toEqual({
    'b.test.ts › holds': 'now this',
    'c.test.ts › wrong': '1 is not 3',
    'e.test.ts › never again': 'lost',
  })
  expect(saying('firstTry')).toEqual({ 'b.test.ts › late': 'too slow', 'd.test.ts': 'no database' })
  expect([...new Set(told.map(fileOf))].sort()).toEqual(['a', 'b', 'c', 'd', 'e'].map((name) => `${name}.test.ts`))
})
