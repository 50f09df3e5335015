import type { Pharmacy } from '@pillar/contract/financials'
import { NEVER_UPLOADED } from '@pillar/domain/upload/upload-state'
import { shortId } from '../../../shared/paths.ts'
import { idsText } from '../../../shared/search-field.ts'
import type { Filters, FinancialsSearch } from '../search.ts'

/** Pharmacies that match the state and postcode filters; a postcode filter may be just the first digits. */
export function narrowed(
  all: readonly Pharmacy[],
  states: readonly string[],
  postcodes: readonly string[],
): readonly Pharmacy[] {
  if (states.length === 0 && postcodes.length === 0) return all
  return all.filter(
    ({ state, postcode }) =>
      (states.length === 0 || (state !== null && states.includes(state))) &&
      (postcodes.length === 0 || (postcode !== null && postcodes.some((typed) => beginsWith(postcode, typed)))),
  )
}

const bare = (postcode: string) => postcode.replaceAll(' ', '').toUpperCase()

/** Whether a postcode begins as typed, or is the complete one typed, with or without its space. */
function beginsWith(postcode: string, typed: string): boolean {
  return postcode.toUpperCase().startsWith(typed.toUpperCase()) || bare(postcode) === bare(typed)
}

/** The pharmacies of the figures: those matching state and postcode, then only the picked ones, without those left out. */
export function selected(all: readonly Pharmacy[], filters: Filters): readonly Pharmacy[] {
  const left = narrowed(all, filters.states, filters.postcodes)
  if (filters.chosen === null && filters.without.length === 0) return left
  const chosen = filters.chosen && new Set(filters.chosen)
  const without = new Set(filters.without)
  return left.filter(({ pharmacy_id }) => {
    const id = shortId(pharmacy_id)
    return (chosen === null || chosen.has(id)) && !without.has(id)
  })
}

/** Whether none of these pharmacies has ever uploaded anything. */
export const nothingYet = (chosen: readonly Pharmacy[]): boolean =>
  chosen.length > 0 && chosen.every(({ upload_status }) => upload_status === NEVER_UPLOADED)

/** How many picked pharmacies, as in a saved view, the company no longer has; the figures are without them. */
export function gone(all: readonly Pharmacy[], { chosen }: Filters): number {
  const there = new Set(all.map(({ pharmacy_id }) => shortId(pharmacy_id)))
  return (chosen ?? []).filter((id) => !there.has(id)).length
}

/**
 * The part of the address that picks these ids among the pharmacies offered: nothing for all of them, otherwise the shorter of "only these" and
 * "all but these". An empty pick means all, since a screen about no pharmacy would be empty.
 */
export function pharmacySearch(
  offered: readonly Pharmacy[],
  picked: readonly string[],
): Pick<FinancialsSearch, 'pharmacies' | 'without'> {
  const ids = new Set(picked)
  const rest = offered.filter(({ pharmacy_id }) => !ids.has(pharmacy_id))
  if (rest.length === 0 || ids.size === 0) return { pharmacies: undefined, without: undefined }
  const shortened = (some: readonly string[]) => idsText(some.map(shortId))
  return rest.length < ids.size
    ? { pharmacies: undefined, without: shortened(rest.map(({ pharmacy_id }) => pharmacy_id)) }
    : { pharmacies: shortened(picked), without: undefined }
}

/** The states the pharmacies are in, in alphabetical order. */
export function statesOf(all: readonly Pharmacy[]): string[] {
  return [...new Set(all.map(({ state }) => state))].filter((state) => state !== null).sort()
}

/** The postcodes of the pharmacies in these states (all if none is named), in order, with the number of pharmacies in each. */
export function postcodesOf(
  all: readonly Pharmacy[],
  states: readonly string[],
): { postcode: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const { postcode } of narrowed(all, states, [])) {
    if (postcode !== null) counts.set(postcode, (counts.get(postcode) ?? 0) + 1)
  }
  return [...counts]
    .map(([postcode, count]) => ({ postcode, count }))
    .sort((a, b) => (a.postcode < b.postcode ? -1 : 1))
}
