import { describe, expect, test } from 'vitest'
import { day } from '../time/day.ts'
import { CHRONIC_PREFIXES, CONDITION_LABELS, DRUG_TYPE_PREFIXES } from './atc-tables.ts'
import {
  ageBandOf,
  CATEGORIES,
  chronicByAtc,
  conditionOf,
  drugTypeOf,
  sexOf,
  subcategoriesOf,
  UNCLASSIFIED,
} from './category.ts'

describe('drug type', () => {
  test.each([
    ['C09AA05', 'Antihypertensives'],
    ['C03CA01', 'Cardiac'],
    ['C03AA03', 'Antihypertensives'],
    ['C09DX04', 'Cardiac'],
    ['C10AA07', 'Lipid modifying'],
    ['A10BA02', 'Diabetes'],
    ['R03AC02', 'Respiratory'],
    ['H03AA01', 'Thyroid'],
    ['H05AA02', 'Osteoporosis'],
    ['H05BX01', 'Hormones and contraception'],
    ['N06AB06', 'Antidepressants'],
    ['N05AH03', 'Antipsychotics'],
    ['N05BA01', 'Anxiety and sleep'],
    ['A02BC02', 'Reflux'],
    ['B01AF02', 'Anticoagulants and antiplatelets'],
    ['N04BA02', "Epilepsy and Parkinson's"],
    ['N02BE01', 'Pain'],
    ['J01CA04', 'Anti-infectives'],
    ['J07BB02', 'Vaccines'],
    [' c10aa07 ', 'Lipid modifying'],
    ['', UNCLASSIFIED],
    ['Z99', UNCLASSIFIED],
    [null, UNCLASSIFIED],
  ])('%s is %s', (atc, type) => {
    expect(drugTypeOf(atc)).toBe(type)
  })

  test('each prefix is listed once, and every level-2 group has a drug type unless its parts differ', () => {
    for (const table of [DRUG_TYPE_PREFIXES, CHRONIC_PREFIXES]) {
      expect(new Set(table.map(([prefix]) => prefix)).size).toBe(table.length)
    }
    const without = Object.keys(CONDITION_LABELS).filter((group) => drugTypeOf(group) === UNCLASSIFIED)
    expect(without).toEqual(['N05', 'N06'])
  })
})

describe('condition', () => {
  test('has 94 groups, each with its own label', () => {
    const labels = Object.values(CONDITION_LABELS)
    expect(labels).toHaveLength(94)
    expect(new Set(labels).size).toBe(94)
    for (const code of Object.keys(CONDITION_LABELS)) expect(code).toMatch(/^[A-Z]\d\d$/)
  })

  test('follows the first three characters', () => {
    expect(conditionOf('C10AA07')).toBe('High cholesterol')
    expect(conditionOf('c10')).toBe('High cholesterol')
    expect(conditionOf('C1')).toBe(UNCLASSIFIED)
    expect(conditionOf(undefined)).toBe(UNCLASSIFIED)
  })
})

test.each([
  ['C10AA07', true],
  ['A10AE04', true],
  ['R03AC02', false],
  ['R03AC13', true],
  ['R03AK07', true],
  ['C01DA02', false],
  ['C01DA14', true],
  ['N05AN01', true],
  ['N05AB04', false],
  ['J01CA04', false],
  ['J05AB01', false],
  ['J05AR20', true],
  ['N02BE01', false],
  ['N02BF02', true],
  ['L01BA01', true],
  ['L01XE01', false],
  ['M01AE01', false],
  ['M04AA01', true],
  ['M04AC01', false],
  ['G03AA07', false],
  ['H02AB06', false],
  ['D07AC13', false],
  ['S01EE01', true],
  ['', false],
])('%s chronic: %s', (atc, chronic) => {
  expect(chronicByAtc(atc)).toBe(chronic)
})

test('age bands do not overlap or leave gaps', () => {
  const on = day('2026-11-19')
  const band = (born: string) => ageBandOf(day(born), on)
  expect(band('2026-11-19')).toBe('0-17')
  expect(band('2008-11-20')).toBe('0-17')
  expect(band('2008-11-19')).toBe('18-34')
  expect(band('1991-11-19')).toBe('35-49')
  expect(band('1976-11-19')).toBe('50-64')
  expect(band('1961-11-20')).toBe('50-64')
  expect(band('1961-11-19')).toBe('65-74')
  expect(band('1951-11-19')).toBe('75+')
  expect(band('1900-01-01')).toBe('75+')
  expect(band('2027-01-01')).toBe(UNCLASSIFIED)
  expect(ageBandOf(null, on)).toBe(UNCLASSIFIED)
})

test('sex is female or male, else unclassified', () => {
  expect([sexOf('F'), sexOf('M'), sexOf('X'), sexOf(null)]).toEqual(['Female', 'Male', UNCLASSIFIED, UNCLASSIFIED])
})

test('every category lists its subcategories once, Drug Type first', () => {
  expect(CATEGORIES[0]).toBe('Drug Type')
  for (const category of CATEGORIES) {
    const list = subcategoriesOf(category)
    expect(new Set(list).size).toBe(list.length)
    expect(list.length > 0).toBe(category !== 'Molecule')
  }
})
