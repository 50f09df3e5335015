import { parseDay } from '@pillar/domain/time/day'

/** A moment as people and PostgreSQL write it. The zone is required: without it the moment is ambiguous. */
const MOMENT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)$/i

/** A moment named on the command line. @throws Error for a text that is none, or has no zone */
export function momentOf(text: string): Date {
  const [, day, time, zone] = MOMENT.exec(text.trim()) ?? []
  const offset = /^[a-z]/i.test(zone ?? '')
    ? 'Z'
    : zone?.replace(/^(...):?(\d\d)?$/, (_, hours, rest) => `${hours}:${rest ?? '00'}`)
  const moment = new Date(`${day}T${time}${offset}`)
  // JavaScript turns 30 February into a day in March.
  if (Number.isNaN(moment.getTime()) || parseDay(day ?? '') === null)
    throw new Error(`"${text}" is no moment. Write it with its zone, such as 2026-11-25T18:00:00Z.`)
  return moment
}
