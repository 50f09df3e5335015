import { campaign } from '@pillar/contract/campaign/campaign'
import type { CohortForecast, Filters } from '@pillar/contract/campaign/cohort'
import { cohortProblems } from '@pillar/domain/cohort/cohort'
import { useRead } from '../../api/client.ts'
import { useSettled } from '../../kit/form/useSettled.ts'
import type { RefusedError } from '../../shared/refused.ts'
import type { PickedTemplate } from '../template/template-pick.ts'
import { chosenOf } from '../template/template-pick.ts'

/** Who is meant: the filters, where, with which templates; `campaign_id` leaves out whom that campaign has reached already. */
export interface CohortAsk {
  filters: Filters
  pharmacies: readonly string[]
  templates: readonly Omit<PickedTemplate, 'active'>[]
  campaign_id: string | null
  /** Between which days it would be sent, ISO; left out where that is open. */
  start_date?: string | null
  end_date?: string | null
  /** Whether the campaign keeps nobody back at random; left out, as `campaign_id` is saved. */
  no_holdout?: boolean
}

export interface CohortAnswer {
  ledger: CohortForecast | null
  /** The figures shown are of an earlier question. */
  counting: boolean
  error: RefusedError | null
  retry: () => void
}

const PAUSE_MS = 250

/** What the calls about a cohort are sent. */
export function cohortInput({ pharmacies, templates, ...rest }: CohortAsk) {
  return { ...rest, pharmacies: [...pharmacies], templates: chosenOf(templates) }
}

/** Counts a cohort a quarter of a second after the last change; the figures before stay until the new ones are there. */
export function useCohort(ask: CohortAsk): CohortAnswer {
  const wanted = cohortInput(ask)
  const settled = useSettled(wanted, PAUSE_MS)
  const countable = ask.pharmacies.length > 0 && cohortProblems(ask.filters).length === 0
  const query = useRead(campaign.cohort, settled, { enabled: countable, keepPrevious: true, staleTime: 10_000 })
  const moving = JSON.stringify(wanted) !== JSON.stringify(settled)
  return {
    ledger: countable ? (query.data ?? null) : null,
    counting: countable && (moving || query.isPlaceholderData || query.isFetching),
    error: query.isError ? query.error : null,
    retry: () => void query.refetch(),
  }
}
