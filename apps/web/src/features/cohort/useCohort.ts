import { campaign } from '@pillar/contract/campaign/campaign'
import type { CohortForecast, Filters } from '@pillar/contract/campaign/cohort'
import { cohortProblems } from '@pillar/domain/cohort/cohort'
import { useRead } from '../../api/client.ts'
import { useSettled } from '../../kit/form/useSettled.ts'
import type { RefusedError } from '../../shared/refused.ts'
import type { PickedTemplate } from '../template/template-pick.ts'
import { chosenOf } from '../template/template-pick.ts'

/** The question: which filters, pharmacies and templates; `campaign_id` leaves out patients that campaign has already reached. */
export interface CohortAsk {
  filters: Filters
  pharmacies: readonly string[]
  templates: readonly Omit<PickedTemplate, 'active'>[]
  campaign_id: string | null
  /** The dates of sending, ISO; left out if open. */
  start_date?: string | null
  end_date?: string | null
  /** Whether the campaign holds nobody out at random. Left out, the saved setting of `campaign_id` applies. */
  no_holdout?: boolean
}

export interface CohortAnswer {
  ledger: CohortForecast | null
  /** The figures shown answer an earlier question. */
  counting: boolean
  error: RefusedError | null
  retry: () => void
}

const PAUSE_MS = 250

/** The input of the cohort calls. */
export function cohortInput({ pharmacies, templates, ...rest }: CohortAsk) {
  return { ...rest, pharmacies: [...pharmacies], templates: chosenOf(templates) }
}

/** Counts a cohort a quarter of a second after the last change; the previous figures stay until new ones arrive. */
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
