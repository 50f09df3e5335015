import { formatDay } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import type { Edited } from '../../../kit/list/bulk.ts'
import { todayOf } from '../../../shared/today.ts'
import { batchOf, type CampaignValues, type Chosen, emptyOf, problemsOf } from './campaign-admin.ts'

interface FormOf<Row> {
  /** Null for a new one. */
  edited: Edited<Row, Chosen> | null
  country: Country
  valuesOf: (row: Row) => CampaignValues
  recommended: boolean
}

/** The initial values and checks of a campaign form: for a new campaign, an existing one, or several at once. */
export function campaignForm<Row extends object>({ edited, country, valuesOf, recommended }: FormOf<Row>) {
  const today = todayOf(country)
  const batch = edited ? batchOf(edited.rows.map(valuesOf), edited.rows as readonly { active?: boolean }[]) : null
  const initial = batch?.values ?? emptyOf(formatDay(today))
  const differ = batch?.differ ?? []
  return {
    today,
    several: (edited?.rows.length ?? 0) > 1,
    note: batch?.note ?? '',
    initial,
    check: (now: CampaignValues) =>
      problemsOf(now, { recommended, today, before: initial, saved: edited !== null, differ }),
  }
}
