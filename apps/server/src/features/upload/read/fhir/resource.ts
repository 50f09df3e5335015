import { addMonths, type Day, parseDay } from '@pillar/domain/time/day'
import { dayIn } from '@pillar/domain/time/zone'
import { isObject, type Json, type JsonObject } from './line/json.ts'

/** What is wrong with one resource: the place in it, the value, and a reason that reads on after the value. */
export class PathFault extends Error {
  readonly path: string
  readonly value: string

  constructor(path: string, value: Json | undefined, reason: string) {
    super(reason)
    this.path = path
    this.value = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
  }
}

const KINDS: Record<string, string> = { string: 'a text', number: 'a number', boolean: 'true or false' }

const kindOf = (value: Json): string => (Array.isArray(value) ? 'a list' : (KINDS[typeof value] ?? 'an object'))

function wrong(path: string, value: Json, wanted: string): PathFault {
  return new PathFault(path, value, `is ${kindOf(value)}; FHIR R4 has ${wanted} here`)
}

/** A text of an element, trimmed; empty if absent. */
export function textAt(of: JsonObject, key: string, path = key): string {
  const value = of[key]
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') throw wrong(path, value, 'a text')
  return value.trim()
}

/** A finite number of an element; null if absent. */
export function numberAt(of: JsonObject, key: string, path = key): number | null {
  const value = of[key]
  if (value === undefined || value === null) return null
  if (typeof value !== 'number') throw wrong(path, value, 'a number')
  if (!Number.isFinite(value)) throw new PathFault(path, 'a number', 'is too large')
  return value
}

export function booleanAt(of: JsonObject, key: string, path = key): boolean | null {
  const value = of[key]
  if (value === undefined || value === null) return null
  if (typeof value !== 'boolean') throw wrong(path, value, 'true or false')
  return value
}

export function objectAt(of: JsonObject, key: string, path = key): JsonObject | null {
  const value = of[key]
  if (value === undefined || value === null) return null
  if (!isObject(value)) throw wrong(path, value, 'an object')
  return value
}

/** The objects of a list; empty if absent. */
export function listAt(of: JsonObject, key: string, path = key): readonly JsonObject[] {
  const value = of[key]
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw wrong(path, value as Json, 'a list')
  const other = value.find((one) => !isObject(one))
  if (other !== undefined) throw wrong(`${path}[${value.indexOf(other)}]`, other, 'an object')
  return value as JsonObject[]
}

/** The texts of a list of texts, without nulls, which only carry extensions. */
export function textsAt(of: JsonObject, key: string, path = key): string[] {
  const value = of[key]
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw wrong(path, value as Json, 'a list')
  return value
    .filter((one) => one !== null)
    .map((one: Json, at) => {
      if (typeof one !== 'string') throw wrong(`${path}[${at}]`, one, 'a text')
      return one.trim()
    })
    .filter((one) => one !== '')
}

/** The value of a number as plain digits, with at most six decimals. */
export function digits(value: number): string {
  const text = String(value)
  return text.includes('e') ? value.toFixed(6).replace(/\.?0+$/, '') : text
}

const DATE_TIME =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[Tt](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)([Zz]|[+-]\d{2}:\d{2})?)?)?)?$/

/** The first and last possible day of a FHIR date or dateTime. They differ only for a year or a month alone. */
export interface Span {
  first: Day
  last: Day
}

/**
 * Reads a FHIR date or dateTime as days of the pharmacy: a time with an offset counts on its day in the pharmacy's own zone, a time without
 * one follows the pharmacy's clock.
 * @throws PathFault if it is neither
 */
export function spanOf(text: string, path: string, timeZone: string): Span {
  const [, year = '', month, day, time, zone] = DATE_TIME.exec(text) ?? []
  const first = parseDay(`${year}-${month ?? '01'}-${day ?? '01'}`)
  if (first === null)
    throw new PathFault(path, text, 'is not a FHIR date such as 2026-07-31 or 2026-07-31T14:05:00+10:00')
  if (month === undefined) return { first, last: addMonths(first, 12) - 1 }
  if (day === undefined) return { first, last: addMonths(first, 1) - 1 }
  if (time === undefined) return { first, last: first }
  // A leap second is the last second of its minute.
  const clock = (time.length === 5 ? `${time}:00` : time).replace(/:60/, ':59')
  const at = new Date(`${year}-${month}-${day}T${clock}${zone?.toUpperCase() ?? 'Z'}`)
  if (Number.isNaN(at.getTime())) throw new PathFault(path, text, 'has a time that no clock shows')
  const on = zone === undefined ? first : dayOf(timeZone, at)
  return { first: on, last: on }
}

const QUARTER_MS = 900_000
const MAX_QUARTERS = 50_000
const quarters = new Map<string, Map<number, Day>>()

/** The day of an instant in a zone. Zones differ by quarters of an hour, so one answer holds for a whole quarter. */
function dayOf(timeZone: string, at: Date): Day {
  const known = quarters.get(timeZone) ?? new Map<number, Day>()
  quarters.set(timeZone, known)
  const quarter = Math.floor(at.getTime() / QUARTER_MS)
  let day = known.get(quarter)
  if (day === undefined) {
    day = dayIn(timeZone, at)
    if (known.size >= MAX_QUARTERS) known.clear()
    known.set(quarter, day)
  }
  return day
}

/** The value of an extension with this url, under any of the keys; undefined if there is none. */
export function extensionOf(of: JsonObject, url: string): JsonObject | undefined {
  return listAt(of, 'extension').find((one) => one.url === url)
}

/** The first non-empty text. */
export const firstOf = (...texts: string[]): string => texts.find((text) => text !== '') ?? ''

/** Elements of a resource that are read; others may be modified in any way. */
const USED = new Set(
  'identifier name telecom address link qualification code form amount ingredient subject requester dispenseRequest medicationCodeableConcept medicationReference quantity daysSupply dosageInstruction authorizingPrescription type location contained extension meta entry deceasedDateTime'.split(
    ' ',
  ),
)

/**
 * Refuses a resource whose meaning, or that of a part which is read, is changed by rules Pillar does not know; FHIR forbids reading on.
 * @throws PathFault
 */
export function refuseModified(resource: JsonObject): void {
  refusePart(resource, '')
  for (const [key, value] of Object.entries(resource)) if (USED.has(key) && value !== undefined) refuseIn(value, key)
}

function refuseIn(value: Json, path: string): void {
  if (Array.isArray(value)) {
    for (const [at, one] of value.entries()) refuseIn(one, `${path}[${at}]`)
  } else if (isObject(value)) {
    refusePart(value, `${path}.`)
    for (const [key, one] of Object.entries(value)) if (one !== undefined) refuseIn(one, `${path}.${key}`)
  }
}

/** @param at the path of the part followed by a dot; empty for the whole resource */
function refusePart(part: JsonObject, at: string): void {
  const [first] = listAt(part, 'modifierExtension', `${at}modifierExtension`)
  if (first)
    throw new PathFault(
      `${at}modifierExtension[0].url`,
      first.url,
      'changes the meaning of the record in a way Pillar does not know; send it without modifierExtension',
    )
  const rules = textAt(part, 'implicitRules', `${at}implicitRules`)
  if (rules !== '')
    throw new PathFault(
      `${at}implicitRules`,
      rules,
      'names rules that Pillar does not know; send it without implicitRules',
    )
}
