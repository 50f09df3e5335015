import { z } from 'zod'

/** The last year a date may be in, and the first: what is outside neither the database nor the rules about days keep. */
const YEARS = { first: 1000, last: 9999 }
/** Hours that a clock may be ahead of UTC or behind, for the database: fewer than these. */
const MOST_HOURS = 16

/** A day as a client sends it: '2026-11-20'. */
export const dayInput = z.iso.date().check((context) => {
  if (Number(context.value.slice(0, 4)) < YEARS.first)
    context.issues.push({ code: 'invalid_format', format: 'date', input: context.value })
})

/** A day and time as a client sends it, with `Z` or how far its clock is from UTC: '2026-11-20T09:00:00+11:00'. */
export const instantInput = checked(z.iso.datetime({ offset: true }))

/** The same, where a time without an offset is taken too. */
export const localInput = checked(z.iso.datetime({ offset: true, local: true }))

/** The same schema, where a blank may stand between day and time in place of the T: '2026-11-20 23:59:59'. */
export const spaced = <T extends z.ZodType>(schema: T) =>
  z.preprocess(
    (sent) => (typeof sent === 'string' ? sent.replace(/^(\d{4}-\d{2}-\d{2}) (?=\d{2}:)/, '$1T') : sent),
    schema,
  ) as unknown as T

function checked(schema: z.ZodISODateTime): z.ZodISODateTime {
  return schema.check((context) => {
    const year = new Date(context.value).getUTCFullYear()
    const hours = Number(/[+-](\d{2}):\d{2}$/.exec(context.value)?.[1] ?? 0)
    if (!(year >= YEARS.first && year <= YEARS.last) || hours >= MOST_HOURS)
      context.issues.push({ code: 'invalid_format', format: 'datetime', input: context.value })
  })
}
