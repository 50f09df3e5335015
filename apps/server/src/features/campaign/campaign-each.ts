import { Refusal } from '@pillar/contract'
import type { CampaignOutcome } from '@pillar/contract/campaign/campaign-admin'
import { type Context, enterOf } from '../../api/context.ts'
import type { ChosenCampaign } from './campaign-admin.queries.ts'

/** The most campaigns one call changes: each takes its own transaction. */
const MOST = 500

/**
 * Does the same to several campaigns, each separately inside its company: a refusal for one does not stop the others.
 * @returns the outcome for each @throws Refusal if there is only one and it is refused, or if there are too many
 */
export async function eachCampaign(
  context: Context,
  found: readonly ChosenCampaign[],
  work: (uuid: string, inside: Context) => Promise<unknown>,
): Promise<CampaignOutcome[]> {
  if (found.length > MOST) throw new Refusal('invalid', `Please select at most ${MOST} campaigns at a time.`)
  const enter = enterOf(context)
  const outcomes: CampaignOutcome[] = []
  for (const { uuid, name, company, company_id } of found) {
    const about = { campaign_id: uuid, name, company }
    try {
      await enter(company_id, uuid, (inside) => work(uuid, inside))
      outcomes.push({ ...about, done: true, message: null })
    } catch (error) {
      // Earlier ones are done already: the answer has to name them.
      if (found.length === 1) throw error
      if (!(error instanceof Refusal))
        context.services.log.error({ err: error, campaign: uuid }, 'a campaign of several failed')
      const message =
        error instanceof Refusal ? error.message : 'Pillar could not save this one. Please try it again by itself.'
      outcomes.push({ ...about, done: false, message })
    }
  }
  return outcomes
}
