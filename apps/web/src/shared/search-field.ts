import * as z from 'zod/mini'

/** A field in the address bar. An unknown value is dropped, never refused, so an old link still opens. */
export const known = <T extends z.core.SomeType>(schema: T) => z.catch(z.optional(schema), undefined)

/** Text up to a length. The router reads a value of digits alone as a number; a hand-written address may have either. */
export const textField = (most: number) => known(z.union([z.string().check(z.maxLength(most)), z.number()]))

export const dayField = known(z.iso.date())

/** A page of a list, counted from 1. */
export const pageField = known(z.number().check(z.int(), z.minimum(1), z.maximum(100_000)))
