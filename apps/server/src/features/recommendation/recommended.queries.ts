import { daysBefore } from '@pillar/domain/access/retention'
import type { Country } from '@pillar/domain/time/locale'
import { sql } from 'kysely'
import type { Database, Tx } from '../../db/database.ts'
import { RECOMMENDED_CAMPAIGNS, RECOMMENDED_TEMPLATES } from './recommended.ts'

/**
 * Makes sure an installation has the recommendations Pillar comes with. Existing ones stay as they are, changed or withdrawn; several
 * servers may start at once.
 */
export async function ensureRecommendations(system: Database, country: Country, now: Date): Promise<void> {
  await system.transaction().execute(async (tx) => {
    for (const { country: only, daysOld, ...columns } of RECOMMENDED_TEMPLATES) {
      if (only !== undefined && only !== country) continue
      await tx
        .insertInto('template_recommendation')
        .values({ ...columns, published_at: daysBefore(now, daysOld) })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
    for (const { country: only, daysOld, templates, filters, ...columns } of RECOMMENDED_CAMPAIGNS) {
      if (only !== undefined && only !== country) continue
      const made = await tx
        .insertInto('campaign_recommendation')
        .values({ ...columns, filters: JSON.stringify(filters), published_at: daysBefore(now, daysOld) })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      if (made) await attach(tx, made.id, templates)
    }
  })
}

const attach = (tx: Tx, campaignId: number, templates: readonly string[]) =>
  sql`insert into campaign_recommendation_template (campaign_recommendation_id, template_recommendation_id)
      select ${campaignId}, id from template_recommendation where uuid = any (${[...templates]}::uuid[])`.execute(tx)
