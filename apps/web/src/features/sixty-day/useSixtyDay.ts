import { companySixtyDay } from '@pillar/contract/sixty-day/company-sixty-day'
import { guildSixtyDay } from '@pillar/contract/sixty-day/guild-sixty-day'
import { SIXTY_DAY_STATES, type SixtyDayState } from '@pillar/domain/sixty-day/choices'
import { useMemo } from 'react'
import { useRead } from '../../api/client.ts'
import { isPicked } from '../../shared/search-field.ts'
import type { SixtyDayFilters } from './search.ts'

const NONE: never[] = []
const shared = ({ uptake, tranche, net }: SixtyDayFilters) => ({ uptake_percentage: uptake, tranche, net_of_acss: net })
const tableInput = (filters: SixtyDayFilters) => ({
  ...shared(filters),
  category: filters.category,
  selected_statistic: filters.statistic,
  col: filters.sort.field,
  sort_direction: filters.sort.order,
})

/** A pharmacy, as listed in the filters. */
export interface Place {
  uuid: string
  name: string
  state: string | null
  postcode: string | null
}

/** What the company's page reads: its pharmacies, those the filters leave, and their figures. */
export function useCompanySixtyDay(filters: SixtyDayFilters, agreed: boolean) {
  const info = useRead(companySixtyDay.info, { tranche: filters.tranche }, { enabled: agreed, keepPrevious: true })
  const all: readonly Place[] = info.data?.locations ?? NONE
  const chosen = useMemo(() => narrowed(all, filters), [all, filters])
  const pharmacies = useMemo(() => chosen.map(({ uuid }) => uuid), [chosen])
  const options = { enabled: pharmacies.length > 0, keepPrevious: true }
  const stats = useRead(companySixtyDay.stats, { ...shared(filters), pharmacies }, options)
  const input = { ...tableInput(filters), pharmacies }
  const table = useRead(companySixtyDay.categories, { ...input, page: filters.page }, options)
  return { info, all, chosen, stats, table, input }
}

/** The pharmacies the filters leave. */
function narrowed(all: readonly Place[], { states, pharmacies }: SixtyDayFilters): readonly Place[] {
  return all.filter(
    ({ uuid, state }) =>
      (states.length === 0 || (state !== null && states.includes(state))) && isPicked(pharmacies, uuid),
  )
}

/** What the Guild's page reads: the published places, and the figures of the selected ones. */
export function useGuildSixtyDay(filters: SixtyDayFilters) {
  const info = useRead(guildSixtyDay.info, { tranche: filters.tranche }, { keepPrevious: true })
  const published = info.data?.locations ?? NONE
  const states = (filters.states.length > 0 ? filters.states : SIXTY_DAY_STATES) as SixtyDayState[]
  const options = { enabled: info.data !== undefined, keepPrevious: true }
  const stats = useRead(guildSixtyDay.stats, { ...shared(filters), states: [...states] }, options)
  const postcodes = published.filter(({ name }) => states.some((one) => one === name)).flatMap((one) => one.postcodes)
  const wanted = filters.postcodes.length > 0 ? postcodes.filter((code) => filters.postcodes.includes(code)) : postcodes
  const values = filters.grouping === 'state' ? [...states] : wanted
  const input = {
    ...tableInput(filters),
    location_type: filters.grouping,
    // A state without a published postcode leaves none; an impossible value then returns no row.
    location_values: values.length > 0 ? values : ['none'],
  }
  const table = useRead(guildSixtyDay.categories, { ...input, page: filters.page }, options)
  return { info, published, stats, table, input }
}
