import type { Pharmacy } from '@pillar/contract/financials'
import { type Filters, type FinancialsSearch, placeSearch } from '../search.ts'
import { narrowed, pharmacySearch, selected } from './pharmacies.ts'

/** The filter dialog's fields before they are confirmed. */
export interface Draft {
  states: readonly string[]
  postcode: string
  /** Ids of the ticked pharmacies; null for all that state and postcode leave. */
  picked: ReadonlySet<string> | null
}

/** The typed postcodes, separated by commas or spaces; one with letters contains a space of its own ('LS1 4AP'). */
export const parts = (postcode: string) =>
  postcode
    .split(',')
    .map((part) => part.trim().replace(/\s+/g, ' '))
    .flatMap((part) => (/[A-Z]/i.test(part) ? [part] : part.split(' ')))
    .filter((part) => part !== '')

/** The fields from the address. */
export function draftOf(filters: Filters, pharmacies: readonly Pharmacy[]): Draft {
  const { states, postcodes, chosen, without } = filters
  const all = chosen === null && without.length === 0
  const ids = selected(pharmacies, filters).map(({ pharmacy_id }) => pharmacy_id)
  return { states, postcode: postcodes.join(', '), picked: all ? null : new Set(ids) }
}

/** The fields after Reset. */
export const EMPTY: Draft = { states: [], postcode: '', picked: null }

/** The pharmacies that state and postcode leave to pick from. */
export const offeredOf = (draft: Draft, pharmacies: readonly Pharmacy[]): readonly Pharmacy[] =>
  narrowed(pharmacies, draft.states, parts(draft.postcode))

/** The dialog's changes to the address. */
export function changeOf(draft: Draft, offered: readonly Pharmacy[]): Partial<FinancialsSearch> {
  return {
    ...placeSearch(draft.states, parts(draft.postcode)),
    ...(draft.picked === null ? {} : pharmacySearch(offered, [...draft.picked])),
  }
}
