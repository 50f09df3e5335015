import { dailyUnits } from '@pillar/domain/dispensing/directions'
import { PATIENT_TYPES, PATIENT_TYPES_OF, patientTypeOf } from '@pillar/domain/dispensing/patient-type'
import { BALANCE_CHECKS, ENTRY_TYPE_NAMES } from '@pillar/domain/s8/entry'
import { isShortenedNumber } from '@pillar/domain/text/shortened-number'
import { type Day, formatDay, parseDay } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import { type ColumnRule, MAX_LINE_AMOUNT } from '@pillar/domain/upload/upload-format'
import { copyOf } from './fault.ts'

/** A refused value, with the reason shown to the pharmacy. */
export interface Refused {
  readonly reason: string
}

/** Text for COPY (escaped, or \N for empty), or why the value is refused. */
export type Check = (value: string) => string | Refused

export interface CheckContext {
  /** Today in the pharmacy's zone: no dispensing, birth or death may be later. */
  today: Day
  /** Days to shift every date by, for sources with shifted dates. */
  shiftDays: number
  /** The pharmacy's country: decides which patient types its files may use. */
  country: Country
  /** The pharmacy's zone: an instant counts on its day there. */
  timeZone: string
}

export const NULL = '\\N'
const MISSING: Refused = { reason: 'is missing' }
const DEFAULT_MAX = 200
const EARLIEST = '1890-01-01'
const PAST_ONLY = new Set(['dispensed_on', 'date_of_birth', 'deceased_on'])
/** Distinct values remembered per column; dates and directions repeat, so almost every row's are known. */
const MEMO = 20_000
/** Longer than any date, number or list entry: such a value is faulty, and a file full of them must not fill the memory. */
const MAX_MEMO = 64

const NEEDS_ESCAPE = /[\\\t\n\r\v\f\b]/
const ESCAPES: Record<string, string> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\v': '\\v',
  '\f': '\\f',
  '\b': '\\b',
}

/** A text in COPY's text format. */
export function copyText(text: string): string {
  return NEEDS_ESCAPE.test(text) ? text.replace(/[\\\t\n\r\v\f\b]/g, (char) => ESCAPES[char] ?? char) : text
}

/** The check of one canonical column: type, bounds and whether it may be empty. Values arrive trimmed. */
export function checkOf(column: string, rule: ColumnRule, context: CheckContext): Check {
  const check = checkOfType(column, rule, context)
  const empty = rule.required ? MISSING : NULL
  return (value) => (value === '' ? empty : check(value))
}

function checkOfType(column: string, rule: ColumnRule, context: CheckContext): Check {
  switch (rule.type) {
    case 'id':
    case 'text': {
      const text = textCheck(rule.max ?? DEFAULT_MAX)
      return rule.type === 'id' || column === 'mobile' ? numberCheck(text) : text
    }
    case 'date':
      return memo(dateCheck(PAST_ONLY.has(column) ? context.today : null, context.shiftDays))
    case 'time':
      return timeCheck(context.today)
    case 'serial':
      return serialCheck
    case 'entry_type':
      return memo(oneOf(ENTRY_TYPE_NAMES))
    case 'balance_check':
      return memo(oneOf(BALANCE_CHECKS))
    case 'integer':
      return memo(integerCheck(/^(repeats_|supply_number)/.test(column) ? 999 : 999_999))
    case 'quantity':
      return memo(rule.decimals === 2 ? registerQuantityCheck : quantityCheck)
    case 'money':
      return memo(moneyCheck)
    case 'flag':
      return flagCheck
    case 'sex':
      return sexCheck
    case 'patient_type':
      return memo(patientTypeCheck(context.country))
  }
}

/** The same check, which remembers its answers to values of up to `longest` characters. */
function memo<T>(check: (value: string) => T, longest = MAX_MEMO): (value: string) => T {
  const known = new Map<string, T>()
  return (value) => {
    if (value.length > longest) return check(value)
    let answer = known.get(value)
    if (answer === undefined) {
      answer = check(value)
      if (known.size >= MEMO) known.clear()
      known.set(copyOf(value), answer)
    }
    return answer
  }
}

function textCheck(max: number): Check {
  const tooLong: Refused = { reason: `is longer than ${max} characters` }
  return (value) => (value.length > max ? tooLong : copyText(value))
}

const IS_SHORTENED: Refused = {
  reason: 'is a number that a spreadsheet has shortened: there, make the column text before you export it',
}
const numberCheck =
  (check: Check): Check =>
  (value) =>
    isShortenedNumber(value) ? IS_SHORTENED : check(value)

function dateCheck(latest: Day | null, shiftDays: number): Check {
  const earliest = parseDay(EARLIEST) as Day
  return (value) => {
    const parsed = parseDay(value)
    if (parsed === null) return { reason: 'is not a date such as 2026-07-31' }
    const moved = parsed + shiftDays
    if (moved < earliest) return { reason: 'is before 1890' }
    if (latest !== null && moved > latest) return { reason: 'is in the future' }
    return formatDay(moved)
  }
}

function integerCheck(max: number): Check {
  const refused: Refused = { reason: 'is not a whole number of 0 or more' }
  const tooMuch: Refused = { reason: `is more than ${max}` }
  return (value) => {
    if (!/^\d{1,12}(?:\.0+)?$/.test(value)) return refused
    const number = Number(value)
    return number > max ? tooMuch : String(number)
  }
}

const TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ]((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d)(?:\.\d{1,6})?)?)?$/
const NOT_TIME: Refused = { reason: 'is not a date and time such as 2026-07-31T14:05' }
/** A time by the pharmacy's clock, to the second; a date alone means its first moment. */
function timeCheck(today: Day): Check {
  const dates = memo(dateCheck(today, 0))
  return (value) => {
    const match = TIME.exec(value)
    if (!match) return NOT_TIME
    const date = dates(match[1] ?? '')
    return typeof date === 'string' ? `${date} ${match[2] ?? '00:00'}:${match[3] ?? '00'}` : date
  }
}

const NOT_SERIAL: Refused = { reason: 'is not a running number from 1 on' }
const serialCheck: Check = (value) => (/^[1-9]\d{0,14}$/.test(value) ? value : NOT_SERIAL)

function oneOf(words: readonly string[]): Check {
  const refused: Refused = { reason: `is not one of ${words.join(', ')}` }
  return (value) => {
    const word = value.toLowerCase()
    return words.includes(word) ? word : refused
  }
}

const NOT_QUANTITY: Refused = { reason: 'is not a number of 0 or more, such as 28 or 2.5' }
const quantityCheck: Check = (value) => (/^\d{1,7}(?:\.\d{1,6})?$/.test(value) ? value : NOT_QUANTITY)

/** A quantity of at most two decimals; trailing zeros do no harm. */
const TOO_FINE: Refused = { reason: 'has more than two decimals; a register is kept to the hundredth of a unit' }
const registerQuantityCheck: Check = (value) => (/\.\d\d0*[1-9]/.test(value) ? TOO_FINE : quantityCheck(value))

const NOT_MONEY: Refused = { reason: 'is not an amount such as 31.60' }
const TOO_MUCH_MONEY: Refused = {
  reason: `is more than ${MAX_LINE_AMOUNT.toLocaleString('en')}, too much for one line`,
}
/** Cents from dollars, exactly; a half cent rounds away from zero. Negative amounts are refunds. */
const moneyCheck: Check = (value) => {
  const match = /^(-?)(\d{1,12})(?:\.(\d{1,6}))?$/.exec(value)
  if (!match) return NOT_MONEY
  const fraction = `${match[3] ?? ''}000`
  const cents = Number(match[2]) * 100 + Number(fraction.slice(0, 2)) + (fraction.charCodeAt(2) >= 53 ? 1 : 0)
  if (cents > MAX_LINE_AMOUNT * 100) return TOO_MUCH_MONEY
  return match[1] && cents > 0 ? `-${cents}` : String(cents)
}

const NOT_FLAG: Refused = { reason: 'is not a yes or no: use 1 or 0' }
const FLAGS = new Map([
  ...['1', 'true', 't', 'yes', 'y'].map((word) => [word, 't'] as const),
  ...['0', 'false', 'f', 'no', 'n'].map((word) => [word, 'f'] as const),
])
const flagCheck: Check = (value) => FLAGS.get(value) ?? FLAGS.get(value.toLowerCase()) ?? NOT_FLAG

const SEX_LETTERS = new Map([
  ['F', 'F'],
  ['FEMALE', 'F'],
  ['M', 'M'],
  ['MALE', 'M'],
])
const sexCheck: Check = (value) => SEX_LETTERS.get(value.toUpperCase()) ?? NULL

const patientTypeCheck =
  (country: Country): Check =>
  (value) => {
    const type = patientTypeOf(country, value)
    return type === null
      ? { reason: `is not one of ${PATIENT_TYPES_OF[country].join(', ')}` }
      : String(PATIENT_TYPES.indexOf(type) + 1)
  }

/** Units per day from directions, as COPY text; remembered however long they are, because a pharmacy prints few different ones. */
export function dailyUnitsCheck(): (directions: string) => string {
  return memo((directions) => String(dailyUnits(directions) ?? NULL), Number.POSITIVE_INFINITY)
}
