import type { Campaign } from '@pillar/contract/campaign/campaign'
import { activationDays } from '@pillar/domain/campaign/campaign-rule'
import { type Day, formatDay, parseDay } from '@pillar/domain/time/day'
import type { CohortAsk } from '../cohort/useCohort.ts'
import { type CampaignDraft, draftOfCampaign } from './form/campaign-draft.ts'

export type Days = ReturnType<typeof activationDays>

const saved = (iso: string | null) => (iso === null ? null : parseDay(iso))

/** The dates a campaign would run if it were activated today. */
export const daysOf = (
  { start_date, end_date, ended_early }: Pick<Campaign, 'start_date' | 'end_date' | 'ended_early'>,
  today: Day,
): Days =>
  activationDays(
    { start: null, end: undefined },
    { start: saved(start_date), end: saved(end_date), endedEarly: ended_early },
    today,
  )

/** The campaign as the question for its cohort count. */
export function askOf(campaign: Campaign, days: Days): CohortAsk {
  return {
    filters: campaign.filters,
    pharmacies: campaign.pharmacies,
    templates: draftOfCampaign(campaign).templates,
    campaign_id: campaign.campaign_id,
    start_date: formatDay(days.start),
    end_date: days.end === null ? null : formatDay(days.end),
    no_holdout: campaign.no_holdout,
  }
}

/** A form's draft as the question for its cohort count; a date still being typed counts as none. @param campaignId null until it is saved */
export function askOfDraft(draft: CampaignDraft, campaignId: string | null): CohortAsk {
  const dayOf = (typed: string) => (parseDay(typed) === null ? null : typed)
  return {
    filters: draft.filters,
    pharmacies: draft.locations,
    templates: draft.templates,
    campaign_id: campaignId,
    start_date: dayOf(draft.start_date),
    end_date: dayOf(draft.end_date),
    no_holdout: draft.no_holdout,
  }
}
