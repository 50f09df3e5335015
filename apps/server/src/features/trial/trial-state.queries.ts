import type { TrialState } from '@pillar/domain/consent/consent'
import { sql } from 'kysely'
import type { Database, Tx } from '../../db/database.ts'

/** Whether a clinical trial may invite on a day of the pharmacy's calendar: active, within its dates, its newest ethics approval in force. */
export async function trialState(tx: Tx | Database, trialId: number, today: string): Promise<TrialState | null> {
  const { rows } = await sql<TrialState>`
    select t.active and coalesce(t.start_day <= ${today}::date, true) and coalesce(t.end_day >= ${today}::date, true) as active,
      coalesce((select coalesce(e.expires_on >= ${today}::date, true)
        from trial_ethics_approval e where e.trial_id = t.id order by e.id desc limit 1), false) as "ethicsApproved"
    from trial t where t.id = ${trialId}`.execute(tx)
  return rows[0] ?? null
}
