import type { JsonObject } from './line/json.ts'
import { digits, numberAt, objectAt, PathFault, textAt } from './resource.ts'

/** Units of a package, which say nothing of how many tablets are in it. English, German and French words and UCUM's. */
const PACKS = new Set(
  'pack package pkg box bottle carton packet op packung boite kit container tube pot jar btl blister'.split(' '),
)
/** Units of a dose by weight or activity, which are not the units supplied. */
const MEASURES = new Set('mg ug mcg microgram milligram ng iu [iu] [iu]s international mmol meq kbq mbq'.split(' '))

/** A unit as one word: without braces and plural, in lower case. */
function unitWord(text: string): string {
  const word = text
    .trim()
    .toLowerCase()
    .replace(/^\{(.*)\}$/, '$1')
    .replace(/\(s\)$/, '')
  return word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word
}

const unitsOf = (quantity: JsonObject, path: string) =>
  [textAt(quantity, 'code', `${path}.code`), textAt(quantity, 'unit', `${path}.unit`)].map(unitWord)

function amountOf(quantity: JsonObject, path: string): number | null {
  const comparator = textAt(quantity, 'comparator', `${path}.comparator`)
  if (comparator !== '')
    throw new PathFault(`${path}.comparator`, comparator, 'makes the amount uncertain; send the exact one')
  return numberAt(quantity, 'value', `${path}.value`)
}

/**
 * Units supplied, such as tablets or millilitres.
 * @returns digits; empty when unknown; null when the amount is in packs or by weight, which says nothing of units
 */
export function suppliedUnits(of: JsonObject, key: string): string | null {
  const quantity = objectAt(of, key)
  const value = quantity && amountOf(quantity, key)
  if (!quantity || value === null) return ''
  const words = unitsOf(quantity, key)
  if (words.some((word) => PACKS.has(word) || MEASURES.has(word))) return null
  return digits(words.some((word) => word === 'l' || word === 'litre' || word === 'liter') ? value * 1000 : value)
}

/** Days in a unit of time, by UCUM code or word; the UCUM month is the mean month of 30.4375 days. */
const DAYS: Readonly<Record<string, number>> = {
  ...{ '': 1, d: 1, day: 1, dag: 1, tag: 1, jour: 1, dia: 1 },
  ...{ wk: 7, week: 7, h: 1 / 24, hr: 1 / 24, hour: 1 / 24 },
  ...{ mo: 30.4375, month: 30.4375, mth: 30.4375, a: 365.25, year: 365.25, yr: 365.25 },
}

/**
 * Days' supply as whole days; empty when unknown.
 * @throws PathFault for a unit that is not one of time
 */
export function suppliedDays(of: JsonObject, key: string): string {
  const quantity = objectAt(of, key)
  const value = quantity && amountOf(quantity, key)
  if (!quantity || value === null) return ''
  const [code = '', unit = ''] = unitsOf(quantity, key)
  const days = (code === '' ? undefined : DAYS[code]) ?? DAYS[unit]
  if (days === undefined)
    throw new PathFault(
      `${key}.unit`,
      quantity.unit ?? quantity.code,
      'is not a unit of time; FHIR counts days here, with the code d',
    )
  return digits(Math.round(value * days))
}

/** A dose in units supplied, such as 2 tablets; null when it is unknown, or in mg or mL. */
export function doseUnits(dose: JsonObject | null): number | null {
  if (!dose) return null
  const words = unitsOf(dose, 'doseQuantity')
  const measured = words.some((word) => MEASURES.has(word) || /^(?:m?l|g|puff|drop|spray|actuation|patch)$/.test(word))
  return measured ? null : numberAt(dose, 'value', 'doseQuantity.value')
}
