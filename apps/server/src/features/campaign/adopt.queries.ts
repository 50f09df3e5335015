import { Refusal } from '@pillar/contract'
import type { Tx } from '../../db/database.ts'

/** Internal id of a recommended campaign that is still offered. @throws Refusal not_found */
export async function findCampaignRecommendation(tx: Tx, uuid: string): Promise<number> {
  const found = await tx
    .selectFrom('campaign_recommendation')
    .select('id')
    .where('uuid', '=', uuid)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (!found) throw new Refusal('not_found', 'That recommended campaign was not found.')
  return found.id
}
