import type { JsonObject } from './line/json.ts'
import { digits, numberAt, objectAt, PathFault, textAt } from './resource.ts'

/**
 * Words for things counted one by one: a dose form in which a dose is taken, or the bare number, which UCUM also writes {each}. English,
 * German and French words, HL7's and UCUM's codes. Excludes packages and things with many doses (vials, pens, inhalers).
 */
const COUNTED = new Set(
  [
    '1 each ea tablet tab tbl caplet capsule cap lozenge pastille pessary supp suppository sachet ampoule ampule patch wafer film',
    'unit-dose tablette kapsel comprime comprimé gelule gélule srtab orttab drcap srcap',
    // HL7's codes of tablets, capsules, patches and suppositories (v3-orderableDrugForm).
    'ortab buctab srbuctab chewtab cptab disintab drtab ectab erectab ertab ertab12 ertab24 sltab vagtab ortroche',
    'orcap entcap erentcap ercap ercap12 ercap24 ereccap tpatch tpath16 tpath24 tpath2wk tpath72 tpathwk recsupp urethsupp vagsupp',
  ].flatMap((words) => words.split(' ')),
)
/** Volumes in millilitres. */
const VOLUMES: Readonly<Record<string, number>> = {
  ...{ ml: 1, mil: 1, millilitre: 1, milliliter: 1, cc: 1 },
  ...{ l: 1000, litre: 1000, liter: 1000 },
}

/** A unit as one word: without braces and plural, in lower case. */
function unitWord(text: string): string {
  const word = text
    .trim()
    .toLowerCase()
    .replace(/^\{(.*)\}$/, '$1')
    .replace(/\(e?s\)$/, '')
  if (/(?:ch|sh|x|ss)es$/.test(word)) return word.slice(0, -2)
  return word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word
}

const unitsOf = (quantity: JsonObject, path: string) =>
  [textAt(quantity, 'code', `${path}.code`), textAt(quantity, 'unit', `${path}.unit`)].map(unitWord)

/** Digits, like the codes of SNOMED CT: a code that says nothing by itself. */
const OPAQUE = /^\d{6,18}$/

/**
 * How many units one of a quantity is: 1 if counted or in millilitres, 1,000 for litres; null if its unit is not understood, or its two
 * words contradict each other.
 */
function unitFactor(words: readonly string[], volumes: boolean): number | null {
  const said = words.filter((word) => word !== '')
  const plain = said.filter((word) => !OPAQUE.test(word))
  if (said.length > 0 && plain.length === 0) return null
  const factors = new Set(plain.map((word) => factorOf(word, volumes)))
  if (factors.size > 1) return null
  const [factor = 1] = factors
  return factor
}

function factorOf(word: string, volumes: boolean): number | null {
  if (COUNTED.has(word)) return 1
  return volumes && Object.hasOwn(VOLUMES, word) ? (VOLUMES[word] ?? null) : null
}

function amountOf(quantity: JsonObject, path: string): number | null {
  const comparator = textAt(quantity, 'comparator', `${path}.comparator`)
  if (comparator !== '')
    throw new PathFault(`${path}.comparator`, comparator, 'makes the amount uncertain; send the exact one')
  return numberAt(quantity, 'value', `${path}.value`)
}

/**
 * Units supplied, such as tablets or millilitres.
 * @returns digits; empty if there is no amount; null if its unit is neither counted nor a volume
 */
export function suppliedUnits(of: JsonObject, key: string, path = key): string | null {
  const quantity = objectAt(of, key, path)
  const value = quantity && amountOf(quantity, path)
  if (!quantity || value === null) return ''
  const factor = unitFactor(unitsOf(quantity, path), true)
  return factor === null ? null : digits(value * factor)
}

/** Days in a unit of time, by UCUM code or word; the UCUM month is the mean month of 30.4375 days. */
const DAYS: Readonly<Record<string, number>> = {
  ...{ '': 1, d: 1, day: 1, dag: 1, tag: 1, jour: 1, dia: 1 },
  ...{ wk: 7, week: 7, h: 1 / 24, hr: 1 / 24, hour: 1 / 24 },
  ...{ mo: 30.4375, month: 30.4375, mth: 30.4375, a: 365.25, year: 365.25, yr: 365.25 },
}

const daysIn = (word: string) => (Object.hasOwn(DAYS, word) ? DAYS[word] : undefined)

/**
 * Days' supply as whole days; empty if unknown.
 * @throws PathFault for a unit that is not one of time
 */
export function suppliedDays(of: JsonObject, key: string): string {
  const quantity = objectAt(of, key)
  const value = quantity && amountOf(quantity, key)
  if (!quantity || value === null) return ''
  const [code = '', unit = ''] = unitsOf(quantity, key)
  // Only a quantity without any unit is in days: a code that says something else is not ignored.
  const days = code === '' || (unit !== '' && daysIn(code) === undefined) ? daysIn(unit) : daysIn(code)
  if (days === undefined)
    throw new PathFault(
      `${key}.unit`,
      quantity.unit ?? quantity.code,
      'is not a unit of time; FHIR counts days here, with the code d',
    )
  return digits(Math.round(value * days))
}

/** A dose in units supplied, such as 2 tablets; null if it is unknown, or not counted one by one. */
export function doseUnits(dose: JsonObject | null): number | null {
  if (!dose) return null
  const value = numberAt(dose, 'value', 'doseQuantity.value')
  return unitFactor(unitsOf(dose, 'doseQuantity'), false) === null ? null : value
}
