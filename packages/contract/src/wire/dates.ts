import { z } from 'zod'

/** The first and last year allowed in a date; neither the database nor the rules about days handle others. */
const YEARS = { first: 1000, last: 9999 }
/** The database requires a clock to be fewer than this many hours from UTC. */
const MOST_HOURS = 16

/** A day as a client sends it: '2026-11-20'. */
export const dayInput = z.iso.date().check((context) => {
  if (Number(context.value.slice(0, 4)) < YEARS.first)
    context.issues.push({ code: 'invalid_format', format: 'date', input: context.value })
})

/** A day and time as a client sends it, with `Z` or a UTC offset: '2026-11-20T09:00:00+11:00'. */
export const instantInput = checked(z.iso.datetime({ offset: true }))

/** The same, but a time without an offset is also accepted. */
export const localInput = checked(z.iso.datetime({ offset: true, local: true }))

/** The same schema, where a blank may stand between day and time in place of the T: '2026-11-20 23:59:59'. */
export const spaced = <T extends z.ZodType>(schema: T) =>
  z.preprocess(
    (sent) => (typeof sent === 'string' ? sent.replace(/^(\d{4}-\d{2}-\d{2}) (?=\d{2}:)/, '$1T') : sent),
    schema,
  ) as unknown as T

function checked(schema: z.ZodISODateTime): z.ZodISODateTime {
  return schema.check((context) => {
    const at = new Date(context.value).getTime()
    const hours = Number(/[+-](\d{2}):\d{2}$/.exec(context.value)?.[1] ?? 0)
    // By any clock: what is 9999 in London may be 10000 at the pharmacy.
    const inYears = [-MOST_HOURS, MOST_HOURS].every((ahead) => {
      const year = new Date(at + ahead * 3_600_000).getUTCFullYear()
      return year >= YEARS.first && year <= YEARS.last
    })
    if (!inYears || hours >= MOST_HOURS)
      context.issues.push({ code: 'invalid_format', format: 'datetime', input: context.value })
  })
}
