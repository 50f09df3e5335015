import { expect, test } from 'vitest'
import { namedLike } from './named-like.ts'

const all = ['Queen Street Pharmacy', 'Café Rouge Chemist', 'Street Lane Chemist'].map((name) => ({ name }))
const names = (typed: string) => namedLike(all, typed).map(({ name }) => name)

test('finds a name by its words in any order, ignoring accents, with names that begin with the term first', () => {
  expect(names('street')).toEqual(['Street Lane Chemist', 'Queen Street Pharmacy'])
  expect(names('  chem cafe ')).toEqual(['Café Rouge Chemist'])
  expect(names('nothing')).toEqual([])
  expect(names('')).toEqual(['Café Rouge Chemist', 'Queen Street Pharmacy', 'Street Lane Chemist'])
})
