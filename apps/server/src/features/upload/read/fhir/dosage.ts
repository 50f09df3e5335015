import { dailyUnits } from '@pillar/domain/dispensing/directions'
import type { JsonObject } from './line/json.ts'
import { doseUnits } from './quantity.ts'
import { digits, firstOf, listAt, numberAt, objectAt, textAt, textsAt } from './resource.ts'

/**
 * Directions of a dispense in words: the text of each instruction, or words for its timing and dose. Consecutive instructions are joined by
 * "then", so that no dose is read from them.
 * @returns null if they are too long to store: a beginning alone could say another dose
 */
export function directionsOf(resource: JsonObject): string | null {
  const all = listAt(resource, 'dosageInstruction').map((one, at) => ({
    sequence: numberAt(one, 'sequence', `dosageInstruction[${at}].sequence`) ?? at,
    text: directionOf(one, `dosageInstruction[${at}]`),
    given: typeof one.sequence === 'number',
  }))
  const texts = all.filter(({ text }) => text !== '').sort((a, b) => a.sequence - b.sequence)
  const joined = texts
    .map(({ text, sequence, given }, at) => {
      const before = texts[at - 1]
      if (!before) return text
      return given && before.given && before.sequence !== sequence ? `; then ${text}` : `; ${text}`
    })
    .join('')
  return joined.length > MAX_READ ? null : joined
}

/** Longest stored directions. Reading a dose from a longer text takes time proportional to the square of its length. */
const MAX_READ = 400

function directionOf(instruction: JsonObject, path: string): string {
  const text = firstOf(
    textAt(instruction, 'text', `${path}.text`),
    textAt(instruction, 'patientInstruction', `${path}.patientInstruction`),
    timingText(instruction, path),
  )
  const needed = instruction.asNeededBoolean === true || instruction.asNeededCodeableConcept !== undefined
  // The text may omit the structure's "as needed"; adding it keeps a dose from being read from the text.
  return needed && text.length <= MAX_READ && dailyUnits(text) !== null ? `${text}, when required` : text
}

const CODES: Readonly<Record<string, string>> = {
  QD: 'once a day',
  BID: 'twice a day',
  TID: '3 times a day',
  QID: '4 times a day',
  QOD: 'every second day',
  AM: 'in the morning',
  PM: 'at night',
  WK: 'once a week',
  MO: 'once a month',
  Q4H: 'every 4 hours',
  Q6H: 'every 6 hours',
}

const TIMES: Readonly<Record<string, readonly string[]>> = {
  d: ['once a day', 'twice a day', '3 times a day', '4 times a day', '5 times a day'],
  wk: ['once a week', 'twice a week', '3 times a week'],
  mo: ['once a month'],
}

/** Words for a timing and dose in units supplied; empty unless both are plain. */
function timingText(instruction: JsonObject, path: string): string {
  const [first, ...more] = listAt(instruction, 'doseAndRate', `${path}.doseAndRate`)
  const dose =
    first && more.length === 0
      ? doseUnits(objectAt(first, 'doseQuantity', `${path}.doseAndRate[0].doseQuantity`))
      : null
  const timing = objectAt(instruction, 'timing', `${path}.timing`)
  if (dose === null || !timing) return ''
  const often = oftenText(timing, path)
  return often === '' ? '' : `Take ${digits(dose)} ${often}`
}

function oftenText(timing: JsonObject, path: string): string {
  const code = objectAt(timing, 'code', `${path}.timing.code`)
  const [coding] = code ? listAt(code, 'coding', `${path}.timing.code.coding`) : []
  const named =
    coding && typeof coding.code === 'string' && Object.hasOwn(CODES, coding.code) ? CODES[coding.code] : undefined
  if (named) return named
  const repeat = objectAt(timing, 'repeat', `${path}.timing.repeat`)
  if (!repeat || ['frequencyMax', 'periodMax', 'when', 'dayOfWeek'].some((key) => repeat[key] !== undefined)) return ''
  const at = `${path}.timing.repeat`
  const [frequency, period] = [
    numberAt(repeat, 'frequency', `${at}.frequency`) ?? 1,
    numberAt(repeat, 'period', `${at}.period`),
  ]
  const unit = textAt(repeat, 'periodUnit', `${at}.periodUnit`)
  // Times of the day apply every day, so they give the frequency; beside another frequency nothing is plain.
  const times = textsAt(repeat, 'timeOfDay', `${at}.timeOfDay`).length
  if (times > 0) {
    const agrees =
      (repeat.frequency === undefined || frequency === times) && (period === null || (period === 1 && unit === 'd'))
    return agrees ? (TIMES.d?.[times - 1] ?? '') : ''
  }
  if (period === null) return ''
  if (unit === 'h' && frequency === 1) return `every ${digits(period)} hours`
  if (unit === 'd' && frequency === 1 && (period === 2 || period === 3))
    return `every ${period === 2 ? 'second' : 'third'} day`
  return period === 1 ? (TIMES[unit]?.[frequency - 1] ?? '') : ''
}
