import { expect, test } from 'vitest'
import { blankWords, refusedWords, unverifiedWords } from './warning-words.ts'

const at = (pharmacy_name: string, unverified_sender?: string | null) => ({ pharmacy_name, unverified_sender })

test('names the pharmacies in the United States whose texts come from a name and will not arrive', () => {
  const from = (pharmacy_name: string, refused_sender?: string | null) => ({ pharmacy_name, refused_sender })
  expect(refusedWords('US', [from('Harbour'), from('Canal', null)])).toBeNull()
  expect(refusedWords('US', [from('Harbour'), from('Canal', 'CANALRD')])).toBe(
    'Texts from Canal will not arrive: its sender CANALRD is a name, and no phone network in the United States delivers texts from one. Ask support to set a number first.',
  )
  expect(refusedWords('US', [from('Harbour', 'HARBOUR'), from('Canal', 'CANALRD')])).toMatch(
    /^Texts from Harbour and Canal will not arrive: their senders are names, and/,
  )
})

test('names the pharmacies whose texts show as Unverified, and no others', () => {
  expect(unverifiedWords([])).toBeNull()
  expect(unverifiedWords([at('Harbour'), at('Canal', null)])).toBeNull()
  expect(unverifiedWords([at('Harbour'), at('Canal', 'CANALRD')])).toBe(
    'Texts from Canal show ‘Unverified’ on the phone: its sender name CANALRD is not registered.',
  )
  expect(unverifiedWords([at('Harbour', 'HARBOUR'), at('Canal', 'CANALRD')])).toBe(
    'Texts from Harbour and Canal show ‘Unverified’ on the phone: their sender names are not registered.',
  )
  const many = ['A', 'B', 'C', 'D', 'E'].map((name) => at(name, 'GROUP'))
  expect(unverifiedWords(many.slice(0, 3))).toMatch(/^Texts from A, B, and C show/)
  expect(unverifiedWords(many.slice(0, 4))).toMatch(/^Texts from A, B, and 2 other pharmacies show/)
  expect(unverifiedWords(many)).toMatch(/^Texts from A, B, and 3 other pharmacies show/)
})

test('names the pharmacies whose messages would have a gap', () => {
  const blank = (pharmacy_name: string, ...blank_fields: string[]) => ({ pharmacy_name, blank_fields })
  expect(blankWords([blank('Harbour')])).toEqual([])
  expect(blankWords([blank('Harbour', 'pharmacy_number'), blank('Canal')])).toEqual([
    'Messages from Harbour leave {Pharmacy Number} blank: Pillar has no phone number for it. Ask support to add it first.',
  ])
  expect(blankWords([blank('A', 'pharmacy_number', 'pharmacy_address'), blank('B', 'pharmacy_address')])).toEqual([
    expect.stringMatching(/^Messages from A leave \{Pharmacy Number\}/),
    expect.stringMatching(/^Messages from A and B leave \{Pharmacy Address\} blank: Pillar has no address for them\./),
  ])
})
