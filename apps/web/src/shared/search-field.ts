import * as z from 'zod/mini'
import { shortId } from './paths.ts'

/** A field in the address bar. An unknown value is dropped, never refused, so an old link still opens. */
export const known = <T extends z.core.SomeType>(schema: T) => z.catch(z.optional(schema), undefined)

/** Text up to a length. The router reads a value of digits alone as a number; a hand-written address may have either. */
export const textField = (most: number) => known(z.union([z.string().check(z.maxLength(most)), z.number()]))

export const dayField = known(z.iso.date())

/** A page of a list, counted from 1. */
export const pageField = known(z.number().check(z.int(), z.minimum(1), z.maximum(100_000)))

/** Pharmacies. Long enough for a company of thousands: a longer value would be dropped, and the figures be those of all of them. */
export const idsField = textField(60_000)

/** Short ids as one field. Not with commas, as earlier links have them: the address would spell out each in three signs. */
export const idsText = (short: readonly string[]): string => short.join('_')

export const idsIn = (field: string | number | undefined): string[] =>
  [...new Set(String(field ?? '').split(/[,_]/))].filter((part) => part !== '')

const ALL_BUT = 'not'

/** Picked ones among all, by their short ids, which are fewer if they name those left out after 'not'; none for all, or no pick. */
export function shortPick(all: readonly string[], picked: readonly string[]): string[] {
  const ids = new Set(picked)
  const rest = all.filter((id) => !ids.has(id))
  if (rest.length === 0 || ids.size === 0) return []
  return rest.length < ids.size ? [ALL_BUT, ...rest.map(shortId)] : picked.map(shortId)
}

/** Whether an id is among those of `shortPick`. */
export function isPicked(short: readonly string[], id: string): boolean {
  return short[0] === ALL_BUT ? !short.includes(shortId(id)) : short.length === 0 || short.includes(shortId(id))
}
