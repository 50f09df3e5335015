import type { ResultBasis } from '@pillar/contract/campaign/result'
import { type CampaignResult, METHOD_NAMES } from '@pillar/domain/campaign/campaign-result'

/** What a result rests on, as on the wire. */
export function basisOf({ found, reason, messaged }: CampaignResult): ResultBasis {
  return {
    reason,
    method: found?.method ?? null,
    method_name: found ? METHOD_NAMES[found.method] : null,
    low: found?.interval?.[0] ?? null,
    high: found?.interval?.[1] ?? null,
    n_messaged: messaged,
    n_compared: found?.compared ?? null,
  }
}
