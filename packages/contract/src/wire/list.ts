import { z } from 'zod'
import { paged, pageField, searchField } from './paging.ts'

const SORT_ORDERS = ['asc', 'desc'] as const

/**
 * The input of every list: page, search, sort and its own filters. The first of `sorts` is the default.
 * @param sorts columns it can sort by
 * @param filters further fields; if the specification calls the search field `name`, the list declares it as `searchField`
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

/** The answer of every list: one page of rows, under the specification's name, with the page counts. */
export function listOf<R extends z.ZodType, const K extends string = 'results'>(row: R, key: K = 'results' as K) {
  return z.object({ ...paged, [key]: z.array(row) } as typeof paged & Record<K, z.ZodArray<R>>)
}

type Rows<A> = Extract<A[keyof A], readonly unknown[]>[number]

/** The rows of an answer made by `listOf`, under whatever field name. */
export function rowsOf<A extends object>(answer: A): Rows<A>[] {
  return (Object.values(answer).find(Array.isArray) ?? []) as Rows<A>[]
}
