import { SIXTY_DAY_STATES } from '@pillar/domain/sixty-day/choices'
import { isPicked, shortPick } from '../../../shared/search-field.ts'
import type { SixtyDayFilters } from '../search.ts'
import type { Place } from '../useSixtyDay.ts'

/** Places to choose from: the company's pharmacies, or the states and postcodes published. */
export type Places =
  | { kind: 'company'; pharmacies: readonly Place[]; chosen: readonly Place[] }
  | { kind: 'guild'; published: readonly { name: string; postcodes: readonly string[] }[] }

/** The dialog's fields. `inside` are postcodes for the Guild, ids of pharmacies for a company. */
export interface FilterDraft extends Pick<SixtyDayFilters, 'category' | 'statistic' | 'tranche' | 'net' | 'grouping'> {
  uptake: number | string
  states: readonly string[]
  inside: readonly string[]
}

/** Whether the typed text is an uptake in percent: 62.5, or 62.50 until its field is left. */
export const isUptake = (typed: number | string): boolean => typed !== '' && Number(typed) >= 0 && Number(typed) <= 100

/** The dialog's initial state: everything is selected if there is no filter. */
export function draftOf(filters: SixtyDayFilters, places: Places): FilterDraft {
  const { uptake, category, statistic, tranche, net, grouping } = filters
  const states = filters.states.length > 0 ? filters.states : [...SIXTY_DAY_STATES]
  const all = filledPlaces(states, places)
  const picked =
    places.kind === 'guild'
      ? all.filter((postcode) => filters.postcodes.includes(postcode))
      : all.filter((uuid) => isPicked(filters.pharmacies, uuid))
  return { uptake, category, statistic, tranche, net, grouping, states, inside: picked.length > 0 ? picked : all }
}

/** The places in the states, which are selected together with them. A company's pharmacies without a state belong to all states. */
export function filledPlaces(states: readonly string[], places: Places): string[] {
  return optionsOf(states, places).map(({ value }) => value)
}

export function optionsOf(states: readonly string[], places: Places) {
  if (places.kind === 'guild') {
    return places.published
      .filter(({ name }) => states.includes(name))
      .flatMap(({ name, postcodes }) => postcodes.map((code) => ({ value: code, label: code, note: name })))
  }
  const whole = states.length === SIXTY_DAY_STATES.length
  return places.pharmacies
    .filter(({ state }) => whole || (state !== null && states.includes(state)))
    .map(({ uuid, name, state, postcode }) => ({
      value: uuid,
      label: name,
      note: `${state ?? ''} ${postcode ?? ''}`.trim(),
    }))
}

/** A draft's filters; a selection of everything or nothing is no filter. */
export function filtersOfDraft(draft: FilterDraft, places: Places): Partial<SixtyDayFilters> {
  const { states, inside, uptake, ...rest } = draft
  const all = filledPlaces(states, places)
  const some = inside.length > 0 && inside.length < all.length ? inside : []
  return {
    ...rest,
    uptake: Number(uptake),
    states: states.length === SIXTY_DAY_STATES.length ? [] : states,
    postcodes: places.kind === 'guild' ? some : [],
    pharmacies: places.kind === 'company' ? shortPick(all, inside) : [],
  }
}
