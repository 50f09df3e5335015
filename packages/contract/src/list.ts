import { z } from 'zod'
import { paged, pageField, searchField } from './paging.ts'

export const SORT_ORDERS = ['asc', 'desc'] as const

/**
 * What every list takes: page, search and sort, and the filters of its own. Without `sort_field` it is sorted by the first of `sorts`.
 * @param sorts columns it can be sorted by
 * @param filters further fields; a list whose search the specification calls `name` declares that here as `searchField`
 */
export function listInput<
  const S extends readonly [string, ...string[]],
  F extends z.ZodRawShape = Record<never, never>,
>(sorts: S, filters: F = {} as F) {
  return z.object({
    page: pageField,
    search_term: searchField,
    sort_field: z.enum(sorts).default(sorts[0]),
    sort_order: z.enum(SORT_ORDERS).default('asc'),
    ...filters,
  })
}

/** What every list answers: the rows of one page, under the name the specification gives them, and where the page stands. */
export function listOf<R extends z.ZodType, const K extends string = 'results'>(row: R, key: K = 'results' as K) {
  return z.object({ ...paged, [key]: z.array(row) } as typeof paged & Record<K, z.ZodArray<R>>)
}

type Rows<A> = Extract<A[keyof A], readonly unknown[]>[number]

/** The rows of an answer made by `listOf`, whatever they are called. */
export function rowsOf<A extends object>(answer: A): Rows<A>[] {
  return (Object.values(answer).find(Array.isArray) ?? []) as Rows<A>[]
}
